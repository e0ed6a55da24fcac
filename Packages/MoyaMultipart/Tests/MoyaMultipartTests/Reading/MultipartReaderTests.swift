import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

@Suite struct MultipartReaderTests {
    private static let ranges = """
        --r
        Content-Type: text/plain
        Content-Range: bytes 0-4/11

        hello
        --r
        Content-Type: text/plain
        Content-Range: bytes 6-10/11

        world
        --r--

        """.replacingOccurrences(of: "\n", with: "\r\n")

    /// Splits the text into chunks of `size` characters.
    private func chunks(_ text: String, by size: Int) -> Pieces {
        var rest = text[...]
        var pieces: [String] = []
        while !rest.isEmpty {
            pieces.append(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return Pieces(pieces)
    }

    @Test(arguments: [1, 10, 1_000])
    func `the reader reads parts from chunks of any size`(size: Int) async throws {
        let reader = try MultipartReader(
            chunks(Self.ranges, by: size), contentType: "multipart/byteranges; boundary=r")
        var parts: [MultipartPart] = []
        for try await part in reader.parts { parts.append(part) }
        #expect(parts.map(\.body) == [Data("hello".utf8), Data("world".utf8)])
        #expect(parts.map { $0.header["content-range"] } == ["bytes 0-4/11", "bytes 6-10/11"])
        #expect(parts.first?.header.contentType == "text/plain")
    }

    @Test func `the reader delivers all events before it throws an error`() async throws {
        let reader = try MultipartReader(chunks("--b\r\n\r\none", by: 100), boundary: "b")
        var events: [MultipartParser.Event] = []
        let error = await #expect(throws: MultipartReadingError.self) {
            for try await event in reader { events.append(event) }
        }
        #expect(error == .truncated)
        #expect(events == [.part(MultipartHeader()), .data(Data("one".utf8))])
    }

    @Test func `the reader throws its source's error and then ends`() async throws {
        let source = Pieces(["--b\r\n\r\none"], fails: true)
        var iterator = try MultipartReader(source, boundary: "b").makeAsyncIterator()
        #expect(try await iterator.next() == .part(MultipartHeader()))
        #expect(try await iterator.next() == .data(Data("one".utf8)))
        var failure: (any Error)?
        do { _ = try await iterator.next() } catch { failure = error }
        #expect(failure is Pieces.Failure)
        #expect(try await iterator.next() == nil)
    }

    @Test func `a reader parses nested parts with the content type of the enclosing part`()
        async throws
    {
        let inner: MultipartFormData = [text("1", name: "a"), text("2", name: "b")]
        let plan = try MultipartPlan([
            MultipartFormBodyPart(provider: .mixed(inner), name: "files")
        ])
        var found: [String?] = []
        for try await outer in try MultipartReader(plan.body, boundary: plan.boundary.text).parts {
            let body = Pieces([String(decoding: outer.body, as: UTF8.self)])
            let parts = try MultipartReader(body, contentType: outer.header.contentType).parts
            for try await part in parts { found.append(part.header.name) }
        }
        #expect(found == ["a", "b"])
    }

    @Test func `the reader emits a large chunk in pieces of at most 256 KiB`() async throws {
        let body = Data("--b\r\n\r\n".utf8) + Data(count: 1 << 20) + Data("\r\n--b--".utf8)
        let source = AsyncStream<Data> { continuation in
            continuation.yield(body)
            continuation.finish()
        }
        var largest = 0
        var count = 0
        for try await event in try MultipartReader(source, boundary: "b") {
            guard case .data(let data) = event else { continue }
            largest = max(largest, data.count)
            count += data.count
        }
        #expect(count == 1 << 20)
        #expect(largest <= 256 << 10)
    }

    @Test(.timeLimit(.minutes(3)), arguments: [.min, 0, 1, 5_000, 64 << 10])
    func `the reader reads no more than its limit after the closing delimiter`(size: Int)
        async throws
    {
        let source = EndlessEpilogue(before: "--b\r\n\r\none\r\n--b--\r\n", piece: 1_000)
        let limits = MultipartLimits(epilogueSize: size)
        var bodies: [Data] = []
        for try await part in try MultipartReader(source, boundary: "b", limits: limits).parts {
            bodies.append(part.body)
        }
        #expect(bodies == [Data("one".utf8)])
        #expect(source.count.withLock { $0 } == (max(0, size) + 999) / 1_000)
    }

    // The reader parses a chunk in pieces of 256 KiB. Here the first piece ends with the closing
    // delimiter, and the rest of the chunk is epilogue.
    @Test(.timeLimit(.minutes(3)), arguments: [(1_000_000, 0), (1_000_001, 1), (1_002_500, 3)])
    func `epilogue bytes in the delimiter's chunk count towards the reader's limit`(
        limit: Int, readCount: Int
    ) async throws {
        let (start, end) = ("--b\r\n\r\n", "\r\n--b--\r\n")
        let content = String(
            repeating: "x", count: (256 << 10) - start.utf8.count - end.utf8.count)
        let epilogue = String(repeating: ".", count: 1_000_000)
        let source = EndlessEpilogue(before: start + content + end + epilogue, piece: 1_000)
        let limits = MultipartLimits(epilogueSize: limit)
        var sizes: [Int] = []
        for try await part in try MultipartReader(source, boundary: "b", limits: limits).parts {
            sizes.append(part.body.count)
        }
        #expect(sizes == [content.count])
        #expect(source.count.withLock { $0 } == readCount)
    }

    @Test(.timeLimit(.minutes(3)))
    func `a server that keeps sending after the closing delimiter does not block the reader`()
        async throws
    {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=r\r\n\r\n"
                    + Self.ranges)
            let piece = Data(repeating: 0x2E, count: 16 << 10)
            while connection.write(piece) {}
        }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        let target = Transfer(baseURL: server.url, path: "/", task: .requestPlain)
        var count = 0
        for try await _ in try await provider.stream(target).multipart().parts { count += 1 }
        #expect(count == 2)
    }

    @Test func `a short epilogue is read, and the connection is reused`()
        async throws
    {
        let server = try MockServer { _ in
            MockResponse(
                headers: [HeaderField(name: "Content-Type", value: "multipart/mixed; boundary=r")],
                body: .chunked([Data((Self.ranges + "the end").utf8), Data(count: 1_000)]))
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        // Long enough for any delay between the requests.
        configuration.idleTimeout = 3600
        let provider = MoyaProvider<Transfer>(
            transport: try CurlTransport(configuration: configuration))
        let target = Transfer(baseURL: server.url, path: "/", task: .requestPlain)
        for _ in 0..<3 {
            for try await _ in try await provider.stream(target).multipart().parts {}
        }
        #expect(Set(server.requests.map(\.connectionID)).count == 1)
    }

    @Test func `a multipart response can be read whole or while it arrives`() async throws {
        let server = try MockServer { _ in
            MockResponse(
                status: 206,
                headers: [
                    HeaderField(name: "Content-Type", value: "multipart/byteranges; boundary=r")
                ], body: .data(Data(Self.ranges.utf8)))
        }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        let target = Transfer(baseURL: server.url, path: "/", task: .requestPlain)
        let whole = try await provider.request(target).mapMultipart()
        #expect(whole.map(\.body) == [Data("hello".utf8), Data("world".utf8)])
        var streamed: [MultipartPart] = []
        for try await part in try await provider.stream(target).multipart().parts {
            streamed.append(part)
        }
        #expect(streamed == whole)
    }

    @Test func `a response that is not multipart is a mapping error`() async throws {
        let server = try MockServer { _ in .text("text") }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        let target = Transfer(baseURL: server.url, path: "/", task: .requestPlain)
        let response = try await provider.request(target)
        let error = #expect(throws: MoyaError.self) { try response.mapMultipart() }
        #expect(error?.underlyingError is MultipartReadingError)
        #expect(error?.response?.statusCode == 200)
        let stream = try await provider.stream(target)
        #expect(throws: MultipartReadingError.self) { try stream.multipart() }
    }
}

/// Body with an endless epilogue. Counts the epilogue's chunks that are read.
private struct EndlessEpilogue: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let count = Locked(0)
    private var before: String?
    private let piece: Int

    init(before: String, piece: Int) {
        (self.before, self.piece) = (before, piece)
    }

    mutating func next() async -> Data? {
        if let text = before.take() { return Data(text.utf8) }
        count.withLock { $0 += 1 }
        return Data(count: piece)
    }

    func makeAsyncIterator() -> EndlessEpilogue { self }
}
