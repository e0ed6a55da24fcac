import Moya
import MoyaMockServer
import MoyaTesting
import Testing

// Tests of several modules together, with `import Moya` as an app imports them.

private enum Album {
    case add(Data, caption: String)
    case replace(URL)
    case record(AsyncStream<Data>)
}

extension Album: TargetType {
    var baseURL: URL { URL(string: "http://127.0.0.1") ?? URL(fileURLWithPath: "/") }
    var path: String { "/pictures" }
    var headers: [String: String]? { nil }
    // Uploads use PUT if they may be repeated, because they replace the picture.
    var method: Moya.Method {
        switch self {
        case .add: .post
        case .replace, .record: .put
        }
    }

    /// Uses the spelling of Moya 15, in which a form is an array of parts.
    @available(*, deprecated)
    var task: Task {
        switch self {
        case .add(let picture, let caption):
            let picture = MultipartFormData(
                provider: .data(picture), name: "picture", fileName: "cat.png",
                mimeType: "image/png")
            let caption = Moya.MultipartFormData(
                provider: .data(Data(caption.utf8)), name: "caption")
            return .uploadCompositeMultipart([picture, caption], urlParameters: ["album": "cats"])
        case .replace(let file):
            return .uploadMultipart([MultipartFormData(provider: .file(file), name: "picture")])
        case .record(let pieces):
            return .uploadMultipart([
                MultipartFormData(provider: .sequence(.init(once: pieces)), name: "picture")
            ])
        }
    }
}

@Suite struct FormTests {
    private func provider(
        _ server: MockServer, _ transport: any Transport
    ) -> MoyaProvider<Album> {
        let url = server.url.absoluteString
        return MoyaProvider<Album>(
            endpointClosure: { target in
                let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
                return Endpoint(
                    url: url, sampleResponseClosure: endpoint.sampleResponseClosure,
                    method: endpoint.method, task: endpoint.task, httpHeaderFields: nil,
                    timeoutInterval: 120)
            }, transport: transport)
    }

    private func parts(of request: MockRequest) throws -> [MultipartPart] {
        var parser = try MultipartParser(contentType: request.value(for: "Content-Type"))
        var parts: [MultipartPart] = []
        for event in try parser.parse(request.body) + parser.finish() {
            switch event {
            case .part(let header): parts.append(MultipartPart(header: header, body: Data()))
            case .data(let data): parts[parts.count - 1].body += data
            case .end: break
            }
        }
        return parts
    }

    @Test func `a multipart form written for Moya 15 arrives over the default transport`()
        async throws
    {
        let server = try MockServer { _ in .text("") }
        defer { server.stop() }
        let provider = provider(server, MoyaProvider<Album>.defaultTransport())
        _ = try await provider.request(.add(Data("PNG".utf8), caption: "A cat"))
        let request = try #require(server.requests.last)
        #expect(request.queryItems == [URLQueryItem(name: "album", value: "cats")])
        let parts = try parts(of: request)
        #expect(parts.map(\.header.name) == ["picture", "caption"])
        #expect(parts.map(\.header.fileName) == ["cat.png", nil])
        #expect(parts.map(\.body) == [Data("PNG".utf8), Data("A cat".utf8)])
    }

    @Test(arguments: Way.allCases)
    func `a retried multipart form with a file is sent again unchanged`(way: Way) async throws {
        let content = Data((0..<1_000_001).lazy.map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("form-\(UUID().uuidString).png")
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try MockServer { _ in .text("done") }
        defer { server.stop() }
        server.enqueue(.text("busy", status: 503))
        let clock = TestClock(movesByItself: true)
        let transport = way.transport.retrying(.exponential(maximumRetries: 2), clock: clock)
        let response = try await provider(server, transport).request(.replace(file))
        #expect(try response.mapString() == "done")
        #expect(server.requests.count == 2)
        for request in server.requests {
            let parts = try parts(of: request)
            #expect(parts.map(\.header.fileName) == [file.lastPathComponent])
            #expect(parts.map(\.body) == [content])
        }
    }

    @Test func `a multipart form that can be read only once is not retried`() async throws {
        let server = try MockServer { _ in .text("busy", status: 503) }
        defer { server.stop() }
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data("piece".utf8))
            continuation.finish()
        }
        let transport = Way.foundation.transport.retrying(
            .exponential(maximumRetries: 2), clock: TestClock(movesByItself: true))
        let response = try await provider(server, transport).request(.record(pieces))
        #expect(response.statusCode == 503)
        #expect(server.requests.count == 1)
    }
}

/// Creates a new transport for each test.
enum Way: CaseIterable {
    #if os(Linux)
        case curl
    #endif
    case foundation

    var transport: any Transport {
        switch self {
        #if os(Linux)
            case .curl: CurlTransport()
        #endif
        case .foundation: FoundationTransport()
        }
    }
}
