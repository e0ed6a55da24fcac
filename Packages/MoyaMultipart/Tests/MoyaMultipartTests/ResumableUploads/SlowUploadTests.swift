import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// Servers that keep only part of a request's body.
@Suite(.timeLimit(.minutes(3))) struct SlowUploadTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let clock = TestClock(movesByItself: true)

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.file("file", noise(100_000))
    }

    /// Returns a tus server that keeps `size` bytes of each PATCH and responds with 404 after
    /// `limit` requests.
    private func server(
        keeping size: Int, limit: Int = 200, status: Int = 204
    ) throws -> MockServer {
        let state = Locked((count: 0, offset: 0))
        return try MockServer { request in
            state.withLock { state in
                state.count += 1
                guard state.count <= limit else { return .text("too many", status: 404) }
                switch request.method {
                case "POST": return MockResponse(status: 201).adding("Location", "/files/1")
                case "PATCH":
                    state.offset += min(size, request.body.count)
                    return MockResponse(status: status, body: .none)
                        .adding("Content-Length", "0").adding("Upload-Offset", "\(state.offset)")
                default:
                    return MockResponse(status: 200).adding("Upload-Offset", "\(state.offset)")
                }
            }
        }
    }

    private func patchCount(_ server: MockServer) -> Int {
        server.requests.count { $0.method == "PATCH" }
    }

    private func upload(to server: MockServer, chunkSize: Int64? = nil) async throws {
        var options = ResumableUploadOptions.eager(attempts: 5, chunkSize: chunkSize)
        options.clock = clock
        let target = Transfer(baseURL: server.url, path: "files", task: .requestPlain)
        _ = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableUpload(file, to: target, options: options)
    }

    @Test func `a server that keeps one byte per PATCH receives a bounded number of requests`()
        async throws
    {
        let server = try server(keeping: 1)
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) { try await upload(to: server) }
        let cause = error?.underlyingError as? UploadError
        #expect(cause?.reason == .inconsistentServer)
        #expect(patchCount(server) == 5)
        #expect(clock.sleeps.count == 4)
    }

    @Test
    func `a server that keeps one byte per failed PATCH receives a bounded number of requests`()
        async throws
    {
        let server = try server(keeping: 1, status: 503)
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) { try await upload(to: server) }
        #expect(error?.response?.statusCode == 503)
        #expect(patchCount(server) == 5)
    }

    @Test(arguments: [(20_000, 5), (16_384, 7)])
    func `a server that keeps at least 16 KiB per PATCH receives the rest without a pause`(
        size: Int, requestCount: Int
    ) async throws {
        let server = try server(keeping: size)
        defer { server.stop() }
        try await upload(to: server)
        #expect(patchCount(server) == requestCount)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func `an upload with a small chunk size has no pauses between its requests`() async throws
    {
        let server = try server(keeping: .max)
        defer { server.stop() }
        try await upload(to: server, chunkSize: 1000)
        #expect(patchCount(server) == 100)
        #expect(clock.sleeps.isEmpty)
    }
}
