import Foundation
import MoyaCore
import MoyaInternals
import MoyaStreaming
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// Tests with random server responses and damaged state files.
@Suite(.seeded) struct HostileTransferTests {
    private let folder: TemporaryFolder
    private let data = noise(60_000)
    private let clock = TestClock(movesByItself: true)

    init() throws { folder = try TemporaryFolder() }

    private func download(
        from server: MockServer, to file: URL, connections: Int = 1
    ) async throws -> DownloadedFile {
        var options = ResumableDownloadOptions.eager(connections: connections)
        options.clock = clock
        let target = Transfer(baseURL: server.url, path: "/file", task: .requestPlain)
        return try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file, options: options)
    }

    private func upload(_ file: URL, to server: MockServer) async throws -> UploadedFile {
        var options = ResumableUploadOptions.eager()
        options.clock = clock
        let target = Transfer(baseURL: server.url, path: "files", task: .requestPlain)
        return try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableUpload(file, to: target, options: options)
    }

    /// Returns a random response to a request for a file or a range of it. Some responses are
    /// correct.
    private static func part(
        of data: Data, _ request: MockRequest, _ random: inout OddFieldValues
    ) -> MockResponse {
        let statuses = [200, 200, 206, 206, 206, 206, 416, 204, 304, 500, 429, 302]
        let status = statuses.randomElement(using: &random) ?? 200
        let numbers = [0, 1, 17, 30_000, 59_999, 60_000, 60_001, .max]
        func number() -> Int { numbers.randomElement(using: &random) ?? 0 }
        let asked = request.value(for: "Range")?.dropFirst("bytes=".count).prefix { $0 != "-" }
        let first = asked.flatMap { Int($0) } ?? number()
        let last = number()
        let isRight = first < data.count && (first...data.count - 1).contains(last)
        let body = isRight ? data[first...last] : data.prefix(number())
        var response = MockResponse(status: status, body: .data(body))
            .adding(
                "Content-Range",
                "bytes \(first)-\(last)/\(Bool.random(using: &random) ? "60000" : "*")"
            )
            .adding("ETag", ["\"a\"", "\"b\"", "W/\"a\""].randomElement(using: &random) ?? "")
            .adding("Location", "/elsewhere").adding("Retry-After", "0")
        if Bool.random(using: &random) { response = response.adding("Accept-Ranges", "bytes") }
        if Int.random(in: 0..<8, using: &random) == 0 {
            response = response.adding("Content-Digest", "sha-256=:AAAA:")
        }
        if Bool.random(using: &random) { response = response.truncated(after: number() % 60_001) }
        return response
    }

    @Test(arguments: 0..<60)
    func `a download ends after a bounded number of requests with random server responses`(
        seed: Int
    ) async throws {
        let random = Locked(OddFieldValues(case: seed))
        let server = try MockServer { [data] request in
            random.withLock { Self.part(of: data, request, &$0) }
        }
        defer { server.stop() }
        let file = folder.url.appendingPathComponent("file")
        for connections in [1, 3] {
            _ = try? await download(from: server, to: file, connections: connections)
        }
        #expect((1..<200).contains(server.requests.count), "case \(seed)")
    }

    @Test(arguments: 0..<50)
    func `an upload ends after a bounded number of requests with random server responses`(
        seed: Int
    ) async throws {
        let random = Locked(OddFieldValues(case: seed))
        let server = try MockServer { request in
            random.withLock { random in
                let usual = ["POST": 201, "PATCH": 204, "HEAD": 200][request.method] ?? 200
                let statuses = [usual, usual, usual, 404, 409, 423, 500, 503, 301, 401]
                let offsets = [0, 1, 2, 30_000, 59_999, 60_000, 60_001, -1, .max, .min]
                return MockResponse(status: statuses.randomElement(using: &random) ?? 200)
                    .adding("Location", Bool.random(using: &random) ? "/files/1" : "/files/2")
                    .adding("Upload-Offset", "\(offsets.randomElement(using: &random) ?? 0)")
                    .adding("Retry-After", "0")
            }
        }
        defer { server.stop() }
        let file = try folder.file("file", data)
        for _ in 0..<2 { _ = try? await upload(file, to: server) }
        #expect((1..<200).contains(server.requests.count), "case \(seed)")
    }

    /// Returns `text` with random bytes or numbers replaced.
    private func damaged(_ text: String, _ random: inout OddFieldValues) -> Data {
        var bytes = Array(text.utf8)
        if Bool.random(using: &random) {
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: .min ... .max, using: &random)
            }
            return Data(bytes)
        }
        let extremes = [
            "-1", "0", "1", "59999", "60001", "9223372036854775807", "-9223372036854775808",
            "1e400", "null", "[]",
        ]
        let words = text.split(separator: ":", omittingEmptySubsequences: false).map { word in
            guard word.first?.isNumber == true, Bool.random(using: &random) else {
                return String(word)
            }
            return (extremes.randomElement(using: &random) ?? "") + word.drop { $0.isNumber }
        }
        return Data(words.joined(separator: ":").utf8)
    }

    @Test(arguments: 0..<30)
    func `a download with a damaged state resumes or starts over`(seed: Int) async throws {
        var random = OddFieldValues(case: seed)
        let origin = try Origin(.init(data: data, cut: 20_000))
        let file = folder.url.appendingPathComponent("file")
        let connections = seed % 3 + 1
        // Every connection is reset, so that the attempt fails and leaves a state file.
        let isOver = Locked(false)
        origin.resource.withLock { resource in
            resource.change = { response, request in
                request.value(for: "Range") == nil || isOver.withLock { $0 }
                    ? response : .silence(then: .reset)
            }
        }
        _ = try? await download(from: origin.server, to: file, connections: connections)
        let state = folder.url.appendingPathComponent(".file.moya-part.json")
        let json = try String(contentsOf: state, encoding: .utf8)
        try damaged(json, &random).write(to: state)
        isOver.withLock { $0 = true }
        origin.resource.withLock { $0.cut = nil }
        let result = try await download(from: origin.server, to: file, connections: connections)
        #expect(result.byteCount == 60_000)
        // With several connections, a damaged state may claim bytes that are missing, so the
        // content is not compared.
        if connections == 1 { #expect(try Data(contentsOf: file) == data) }
    }

    @Test(arguments: 0..<30)
    func `an upload with a damaged state resumes or starts over`(seed: Int) async throws {
        var random = OddFieldValues(case: seed)
        let server = try TusServer()
        let file = try folder.file("file", data)
        func upload() async throws {
            var options = ResumableUploadOptions.eager(attempts: 2)
            options.clock = clock
            _ = try await MoyaProvider<Transfer>(transport: CurlTransport())
                .resumableUpload(file, to: server.target, options: options)
        }
        server.state.withLock { $0.cut = 10 }
        _ = try? await upload()
        let name = try #require(folder.names.first { $0.hasSuffix("moya-upload.json") })
        let state = folder.url.appendingPathComponent(name)
        let json = try String(contentsOf: state, encoding: .utf8)
        try damaged(json, &random).write(to: state)
        server.state.withLock { $0.cut = nil }
        try await upload()
        #expect(server.contents.contains(data), "case \(seed)")
    }

    enum Trick: String, CaseIterable {
        case status401 = "401", status416 = "416", status429 = "429", status500 = "500"
        case loop, cut, otherRange, otherTag
    }

    /// The bound covers all restarts and attempts, or the maximum number of redirects.
    @Test(arguments: Trick.allCases)
    func `a server repeating one kind of response gets a bounded number of requests`(trick: Trick)
        async throws
    {
        let count = Locked(0)
        let server = try MockServer { [data] request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch trick {
            case .loop: return .redirect(to: "/\(number)", status: 307)
            case .cut:
                return MockResponse(body: .data(data)).adding("ETag", "\"a\"").truncated(after: 0)
            case .otherRange, .otherTag:
                guard request.value(for: "Range") != nil else {
                    return MockResponse(body: .data(data)).adding("ETag", "\"a\"")
                        .truncated(after: 20_000)
                }
                let tag = trick == .otherTag ? "\"\(number)\"" : "\"a\""
                return MockResponse(status: 206, body: .data(data.suffix(10)))
                    .adding("ETag", tag).adding("Content-Range", "bytes 59990-59999/60000")
            default:
                return MockResponse(status: Int(trick.rawValue) ?? 0).adding("Retry-After", "0")
            }
        }
        defer { server.stop() }
        let target = Transfer(baseURL: server.url, path: "/file", task: .requestPlain)
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        var (down, up) = (
            ResumableDownloadOptions.eager(attempts: 5), ResumableUploadOptions.eager(attempts: 5)
        )
        (down.clock, up.clock) = (clock, clock)
        let file = folder.url.appendingPathComponent("file")
        _ = try? await provider.resumableDownload(target, to: file, options: down)
        let downloads = server.requests.count
        let other = try folder.file("other", data)
        _ = try? await provider.resumableUpload(other, to: target, options: up)
        let uploads = server.requests.count - downloads
        let events = EventSourceOptions(maximumRetries: 4, clock: clock)
        _ = try? await provider.serverSentEvents(target, options: events).collected()
        let connections = server.requests.count - downloads - uploads
        let bound = trick == .loop ? 21 : 12
        for count in [downloads, uploads, connections] { #expect((1...bound).contains(count)) }
    }
}
