import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@Suite struct ResponseBodySinkTests {
    private func request(_ destination: ResponseDestination) throws -> TransportRequest {
        let url = try #require(URL(string: "http://localhost/"))
        return TransportRequest(URLRequest(url: url), destination: destination)
    }

    @Test func `A sink in memory accepts bytes up to its limit and refuses more`() async throws {
        var sink = try await ResponseBodySink(request(.memory(limit: 5)))
        try await sink.write(Data("abc".utf8))
        try await sink.write(Data("de".utf8))
        let error = await #expect(throws: URLError.self) { try await sink.write(Data("f".utf8)) }
        #expect(error?.code == .dataLengthExceedsMaximum)
        guard case .data(Data("abcde".utf8)) = try await sink.finish() else {
            Issue.record("The body is another one")
            return
        }
    }

    @Test
    func `A finished sink keeps the file with its bytes, and a discarded sink removes the file`()
        async throws
    {
        let folder = try TemporaryFolder()
        for isFinished in [true, false] {
            let url = folder.url.appendingPathComponent("\(isFinished)")
            var sink = try await ResponseBodySink(request(.file(url)))
            try await sink.write(Data("abc".utf8))
            try await sink.write(Data("de".utf8))
            if isFinished {
                guard case .file(url) = try await sink.finish() else {
                    Issue.record("The body is no file")
                    return
                }
            }
            await sink.discard()
            #expect((try? Data(contentsOf: url)) == (isFinished ? Data("abcde".utf8) : nil))
        }
    }

    @Test func `A sink does not overwrite a file`() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("file")
        try Data("precious".utf8).write(to: url)
        let error = await #expect(throws: URLError.self) {
            try await ResponseBodySink(request(.file(url)))
        }
        #expect(error?.code == .cannotCreateFile)
        #expect(try Data(contentsOf: url) == Data("precious".utf8))
    }
}

@Suite struct RequestBodyStreamOfAnyKindTests {
    private func read(_ body: RequestBody) async throws -> Data? {
        guard let stream = try body.makeStream() else { return nil }
        var data = Data()
        for try await piece in try stream.makeChunks() { data += piece }
        #expect(stream.length == Int64(data.count))
        return data
    }

    @Test func `A body of any kind can be read several times as a stream with its length`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let bytes = Data((0..<700_001).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: file)
        for _ in 0..<2 {
            #expect(try await read(.none) == nil)
            #expect(try await read(.data(bytes)) == bytes)
            #expect(try await read(.file(file)) == bytes)
        }
        #expect(try RequestBody.file(file).makeStream()?.isReplayable == true)
    }

    @Test func `A stream fails if its file has another length than at makeStream`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        try Data("abcde".utf8).write(to: file)
        let stream = try #require(try RequestBody.file(file).makeStream())
        try Data("abc".utf8).write(to: file)
        let error = await #expect(throws: URLError.self) {
            for try await _ in try stream.makeChunks() {}
        }
        #expect(error?.code == .requestBodyStreamExhausted)
    }

    @Test func `makeStream throws an error for a missing file and for a negative length`() throws {
        let missing = URL(fileURLWithPath: "/nonexistent/file")
        let first = #expect(throws: URLError.self) { try RequestBody.file(missing).makeStream() }
        #expect(first?.code == .fileDoesNotExist)
        let stream = RequestBodyStream(length: -1) { AsyncStream<Data> { $0.finish() } }
        let second = #expect(throws: URLError.self) { try RequestBody.stream(stream).makeStream() }
        #expect(second?.code == .requestBodyStreamExhausted)
    }
}
