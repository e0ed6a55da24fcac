import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// What plugins receive of the requests of resumable transfers.
@Suite struct PluginReportTests {
    private let plugin = Reporting()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private final class Reporting: PluginType {
        let received = Recorder<String>()

        func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
            switch result {
            case .success(let response): received.record("\(response.statusCode)")
            case .failure(let error): received.record("\(error)")
            }
        }
    }

    private func provider() -> MoyaProvider<Transfer> {
        MoyaProvider(transport: CurlTransport(), plugins: [plugin])
    }

    private func target(_ server: MockServer) -> Transfer {
        Transfer(baseURL: server.url, path: "files", task: .requestPlain)
    }

    /// A response whose body ends later than its head arrives.
    private static func slow(_ status: Int) -> MockResponse {
        let pieces = [Data("a".utf8), Data("b".utf8)]
        return MockResponse(status: status, body: .chunked(pieces, interval: 0.01))
    }

    @Test func `plugins receive each answered request of an upload as a success`() async throws {
        let server = try MockServer { request in
            switch request.method {
            case "POST": Self.slow(201).adding("Location", "/files/1")
            default: Self.slow(200).adding("Upload-Offset", "1000")
            }
        }
        defer { server.stop() }
        let file = try folder.file("file", noise(1000))
        _ = try await provider().resumableUpload(file, to: target(server))
        try await until { plugin.received.items.count == 2 }
        #expect(plugin.received.items == ["201", "200"])
        #expect(server.connectionCount == 1)
    }

    @Test func `plugins receive a redirect to another origin, which an upload does not follow`()
        async throws
    {
        let server = try MockServer { _ in
            Self.slow(307).adding("Location", "http://other.test/files")
        }
        defer { server.stop() }
        let file = try folder.file("file", noise(1000))
        let error = await #expect(throws: MoyaError.self) {
            try await provider().resumableUpload(file, to: target(server))
        }
        #expect((error?.underlyingError as? UploadError)?.reason == .otherOrigin)
        try await until { plugin.received.count == 1 }
        #expect(plugin.received.items == ["307"])
    }
}
