import Foundation
import Moya
import MoyaMockServer
import MoyaTesting
import Testing

/// Requests to a URL without a target type, over the transports of `import Moya`.
@Suite struct URLTargetTests {
    private static let transports: [any Transport] = [
        MoyaProvider<URLTarget>.defaultTransport(), FoundationTransport(),
    ]

    private struct User: Codable, Equatable {
        var login: String
    }

    @Test(arguments: transports)
    func `a string literal is a GET whose inserted values are escaped`(transport: any Transport)
        async throws
    {
        let server = try MockServer { .json(User(login: $0.target)) }
        defer { server.stop() }
        let provider = MoyaProvider<URLTarget>(transport: transport)
        let user = try await provider.request(
            "\(server.url)/users/\(segment: "a/b")?page=2#top", as: User.self)
        #expect(user.login == "/users/a%2Fb?page=2")
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test(arguments: transports)
    func `a request to a URL has a method, a body and header fields, and passes layers`(
        transport: any Transport
    ) async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(MockResponse(status: 503), .text("stored"))
        let provider = MoyaProvider<URLTarget>(
            transport: transport.retrying(.exponential(base: 0.001)))
        let target = URLTarget(
            server.url.appendingPathComponent("users"), method: .put,
            task: .requestEncodable(User(login: "ash")), headers: ["X-Trace": "7"])
        #expect(try await provider.request(target).mapString() == "stored")
        let requests = server.requests
        #expect(requests.map(\.method) == ["PUT", "PUT"])
        for request in requests {
            #expect(request.path == "/users")
            #expect(request.value(for: "X-Trace") == "7")
            #expect(try JSONDecoder().decode(User.self, from: request.body).login == "ash")
        }
    }

    @Test(arguments: transports)
    func `a URL can be streamed, and reports progress`(transport: any Transport) async throws {
        let server = try MockServer { _ in .text("a\nb\n") }
        defer { server.stop() }
        let provider = MoyaProvider<URLTarget>(transport: transport)
        var lines: [String] = []
        for try await line in try await provider.stream("\(server.url)/log").lines {
            lines.append(line)
        }
        #expect(lines == ["a", "b"])
        var last: ProgressResponse?
        for try await progress in provider.progress(of: "\(server.url)/log") { last = progress }
        #expect(try last?.response?.mapString() == "a\nb\n")
    }

    /// A million times `a`, whose SHA-256 is a test vector of NIST (FIPS 180-2, B.3).
    private static let data = Data(repeating: UInt8(ascii: "a"), count: 1_000_000)
    private static let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

    @Test(arguments: transports)
    func `a URL is downloaded to a file, resumed after a lost connection, and verified`(
        transport: any Transport
    ) async throws {
        let server = try MockServer { request in
            let response = MockResponse.ranged(Self.data, for: request, etag: "\"v1\"")
            return request.value(for: "Range") == "bytes=0-"
                || request.value(for: "Range") == nil
                ? response.truncated(after: 500_000) : response
        }
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("image.iso")
        let options = ResumableDownloadOptions(
            checksum: try .sha256(Self.digest), retry: TransferRetry(backoff: Backoff(base: 0.001)))
        let provider = MoyaProvider<URLTarget>(transport: transport)
        let result = try await provider.resumableDownload(
            "\(server.url)/image.iso", to: file, options: options)
        #expect(result.byteCount == 1_000_000)
        #expect(try Data(contentsOf: file) == Self.data)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.value(for: "If-Range") == "\"v1\"")
    }

    @Test func `a status of 404 is an error unless the target accepts it`() async throws {
        let server = try MockServer { _ in .text("no", status: 404) }
        defer { server.stop() }
        let provider = MoyaProvider<URLTarget>()
        var target = URLTarget(server.url)
        let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
        #expect(error?.response?.statusCode == 404)
        target.validationType = .none
        #expect(try await provider.request(target).statusCode == 404)
    }

    // RFC 3986, section 3.2.2: a bracket in a host belongs to an IP literal.
    @Test(arguments: ["", "http://[bad", "example.com/a", "mailto:a@b.test", "file:///etc/hosts"])
    func `a text that is no http URL fails the request`(text: String) async throws {
        let provider = MoyaProvider<URLTarget>()
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(URLTarget(text))
        }
        #expect((error?.underlyingError as? URLError)?.code == .unsupportedURL)
    }

    @Test func `a request to a URL can be stubbed by its path`() async throws {
        let provider = StubbedProvider<URLTarget>()
        provider.on(.path("/zen")).respond(.text("Keep it simple."))
        #expect(try await provider.request("https://a.test/zen").mapString() == "Keep it simple.")
    }

    @Test func `a printed URLTarget has its method and URL without secrets`() {
        let target = URLTarget("https://ash:hush@a.test/p?token=hush&page=2", method: .post)
        #expect("\(target)".hasPrefix("POST https://"))
        #expect("\(target)".contains("page=2"))
        #expect(!"\(target)".contains("hush"))
    }
}
