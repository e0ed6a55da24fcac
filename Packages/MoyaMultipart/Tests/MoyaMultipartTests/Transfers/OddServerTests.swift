import Foundation
import MoyaCore
import MoyaInternals
import MoyaStreaming
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// Tests with random bytes in the header fields and event IDs that later requests contain.
@Suite(.seeded) struct OddServerTests {
    private let folder: TemporaryFolder
    private let data = noise(3000)

    init() throws { folder = try TemporaryFolder() }

    private func head(_ status: String, _ fields: [(String, Data)]) -> Data {
        var head = Data("HTTP/1.1 \(status) Status\r\n".utf8)
        for (name, value) in fields { head += Data("\(name): ".utf8) + value + Data("\r\n".utf8) }
        return head + Data("\r\n".utf8)
    }

    private func expectValid(_ server: MockServer, _ seed: Int) {
        for fault in server.requests.compactMap(\.fault) { Issue.record("case \(seed): \(fault)") }
    }

    @Test(arguments: 0..<50)
    func `a download completes with random validators from a server`(seed: Int) async throws {
        var values = OddFieldValues(case: seed)
        let validators = [("ETag", values.value()), ("Last-Modified", values.value())]
        let isFirst = Locked(true)
        let server = try MockServer { [data] request in
            let cuts = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            let isPart = request.value(for: "If-Range") != nil
            let start = isPart ? 1000 : 0
            var fields =
                validators + [
                    ("Date", Data("Sat, 21 Nov 2026 10:00:00 GMT".utf8)),
                    ("Content-Length", Data("\(data.count - start)".utf8)),
                ]
            if isPart { fields.append(("Content-Range", Data("bytes 1000-2999/3000".utf8))) }
            let body = cuts ? data.prefix(1000) : data[start...]
            return .raw(head(isPart ? "206" : "200", fields) + body)
        }
        defer { server.stop() }
        let file = folder.url.appendingPathComponent("file")
        let target = Transfer(baseURL: server.url, path: "/file", task: .requestPlain)
        _ = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file, options: .eager())
        #expect(try Data(contentsOf: file) == data)
        #expect(server.requests.count == 2)
        expectValid(server, seed)
    }

    @Test(arguments: 0..<50)
    func `an upload succeeds after a server has sent random locations and offsets`(
        seed: Int
    ) async throws {
        let state = Locked((isOdd: true, values: OddFieldValues(case: seed)))
        let server = try MockServer { request in
            // Random values while the server is odd, and correct values afterwards.
            let (isOdd, place, offset) = state.withLock { state in
                state.isOdd
                    ? (true, state.values.value(), state.values.value())
                    : (false, Data("/new".utf8), Data("3000".utf8))
            }
            guard isOdd || request.method == "POST" || request.target == "/new" else {
                return MockResponse(status: 400)
            }
            // Replaces locations on other hosts: they are valid, and the upload would wait for a
            // connection to them.
            let isElsewhere =
                place.range(of: Data("//".utf8)) != nil && !place.starts(with: "ftp".utf8)
            let fields = [
                ("Location", isElsewhere ? Data("/files/1".utf8) : place),
                ("Upload-Offset", offset), ("Content-Length", Data("0".utf8)),
            ]
            return .raw(head(request.method == "POST" ? "201" : "200", fields))
        }
        defer { server.stop() }
        let file = try folder.file("file", data)
        let target = Transfer(baseURL: server.url, path: "files", task: .requestPlain)
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        var options = ResumableUploadOptions.eager()
        options.allowsOtherOrigins = seed.isMultiple(of: 2)
        _ = try? await provider.resumableUpload(file, to: target, options: options)
        state.withLock { $0.isOdd = false }
        _ = try await provider.resumableUpload(file, to: target, options: options)
        expectValid(server, seed)
    }

    @Test(arguments: 0..<40)
    func `an event source reconnects after a server has sent a random event ID`(seed: Int)
        async throws
    {
        var values = OddFieldValues(case: seed)
        let id = values.value()
        let count = Locked(0)
        let server = try MockServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return MockResponse(status: 204) }
            return MockResponse(
                headers: [HeaderField(name: "Content-Type", value: "text/event-stream")],
                body: .data(Data("data: a\nid: ".utf8) + id + Data("\n\n".utf8)))
        }
        defer { server.stop() }
        let target = Transfer(baseURL: server.url, path: "/", task: .requestPlain)
        let events = MoyaProvider<Transfer>(transport: CurlTransport())
            .serverSentEvents(target, options: .init(backoff: Backoff(base: 0)))
        #expect(try await events.collected().map(\.data) == ["a"])
        #expect(server.requests.count == 2)
        expectValid(server, seed)
    }
}
