import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Redirects and locations that direct an upload elsewhere.
@Suite struct UploadRedirectTests: UploadSuite {
    let place: UploadPlace

    init() throws { place = try UploadPlace() }

    @Test func `an upload is not sent to another origin unless allowed`() async throws {
        let other = try MockServer()
        defer { other.stop() }
        server.state.withLock { $0.origin = "http://127.0.0.1:\(other.port)" }
        let error = await #expect(throws: MoyaError.self) { try await upload() }
        #expect((error?.underlyingError as? UploadError)?.reason == .otherOrigin)
        #expect(other.requests.isEmpty)
        var options = ResumableUploadOptions.eager()
        options.allowsOtherOrigins = true
        await #expect(throws: MoyaError.self) { try await upload(options) }
        #expect(other.requests.first?.method == "PATCH")
    }

    private struct Token: PluginType {
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
            return request
        }
    }

    /// Returns a server that creates uploads, and redirects selected requests to the tus server.
    private func entry(
        redirecting isRedirected: @escaping @Sendable (MockRequest) -> Bool
    ) throws -> MockServer {
        let location = server.target.baseURL.appendingPathComponent("files/1").absoluteString
        return try MockServer { request in
            if isRedirected(request) { return .redirect(to: location, status: 307) }
            return request.method == "HEAD"
                ? MockResponse().adding("Upload-Offset", "0")
                : MockResponse(status: 201).adding("Location", "/files/1")
        }
    }

    @Test(arguments: Carrier.allCases, ["POST", "PATCH"])
    func `an upload's redirect to another origin is not followed unless allowed`(
        carrier: Carrier, method: String
    ) async throws {
        server.state.withLock {
            $0.uploads["/files/1"] = .init(length: data.count, metadata: nil)
        }
        let entry = try entry { $0.method == method }
        defer { entry.stop() }
        let provider = MoyaProvider<Transfer>(transport: carrier.transport, plugins: [Token()])
        let target = Transfer(
            baseURL: entry.url, path: "files", task: .requestPlain, validationType: .successCodes)
        let error = await #expect(throws: MoyaError.self) {
            try await provider.resumableUpload(file, to: target, options: .eager())
        }
        #expect((error?.underlyingError as? UploadError)?.reason == .otherOrigin)
        #expect(server.log == [])
    }

    @Test(arguments: Carrier.allCases)
    func `an allowed redirect of an upload to another origin is followed without credentials`(
        carrier: Carrier
    ) async throws {
        server.state.withLock {
            $0.uploads["/files/1"] = .init(length: data.count, metadata: nil)
        }
        let entry = try entry { $0.method == "PATCH" }
        defer { entry.stop() }
        let provider = MoyaProvider<Transfer>(transport: carrier.transport, plugins: [Token()])
        let target = Transfer(
            baseURL: entry.url, path: "files", task: .requestPlain, validationType: .successCodes)
        var options = ResumableUploadOptions.eager()
        options.allowsOtherOrigins = true
        _ = try await provider.resumableUpload(file, to: target, options: options)
        #expect(server.contents == [data])
        #expect(server.state.withLock(\.credentials) == [nil])
    }

    @Test func `an upload's redirect within its origin is followed`() async throws {
        let entry = try MockServer { request in
            switch (request.method, request.path) {
            case ("POST", "/files"): .redirect(to: "/new", status: 307)
            case ("POST", _): MockResponse(status: 201).adding("Location", "/files/1")
            default:
                MockResponse(status: 204).adding("Upload-Offset", "\(request.bodyLength)")
            }
        }
        defer { entry.stop() }
        let target = Transfer(baseURL: entry.url, path: "files", task: .requestPlain)
        let result = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableUpload(file, to: target, options: .eager())
        #expect(result.url.path == "/files/1")
        #expect(entry.requests.map(\.method) == ["POST", "POST", "PATCH"])
    }

    @Test(arguments: ["refuse", "follow none", "modify"])
    func `the target's redirect policy applies to uploads within the origin`(policy: String)
        async throws
    {
        let entry = try MockServer { request in
            switch (request.method, request.path) {
            case ("POST", "/files"): .redirect(to: "/new", status: 307)
            case ("POST", "/changed"): MockResponse(status: 201).adding("Location", "/files/1")
            case ("POST", _): MockResponse(status: 500)
            default: MockResponse(status: 204).adding("Upload-Offset", "\(request.bodyLength)")
            }
        }
        defer { entry.stop() }
        let changed = entry.url.appendingPathComponent("changed")
        let task: RequestTask =
            switch policy {
            case "refuse": .requestPlain.redirecting(.refuse)
            case "follow none": .requestPlain.redirecting(.follow(limit: 0))
            default:
                .requestPlain.redirecting(
                    .modify { _, proposed in
                        var request = proposed
                        request.url = changed
                        return request
                    })
            }
        let target = Transfer(baseURL: entry.url, path: "files", task: task)
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        if policy == "modify" {
            _ = try await provider.resumableUpload(file, to: target, options: .eager())
            #expect(entry.requests.map(\.path) == ["/files", "/changed", "/files/1"])
            return
        }
        let error = await #expect(throws: MoyaError.self) {
            try await provider.resumableUpload(file, to: target, options: .eager())
        }
        if policy == "refuse" {
            #expect(error?.response?.statusCode == 307)
        } else {
            #expect((error?.underlyingError as? URLError)?.code == .httpTooManyRedirects)
        }
        #expect(entry.requests.map(\.path) == ["/files"])
    }
}
