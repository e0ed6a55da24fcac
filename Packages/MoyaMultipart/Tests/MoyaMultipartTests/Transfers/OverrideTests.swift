import Foundation
import MoyaCore
import MoyaMockServer
import MoyaStreaming
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// Server-sent events and resumable transfers in the table of overrides in the documentation of
/// `MoyaProvider`.
@Suite(.timeLimit(.minutes(3))) struct OverrideTests {
    /// Overrides what a request may call.
    private final class Counting: MoyaProvider<Transfer>, @unchecked Sendable {
        // Safe: adds a constant of a Sendable type.
        let calls = Recorder<String>()

        override func endpoint(_ target: Transfer) -> Endpoint {
            calls.record("endpoint")
            return super.endpoint(target)
        }

        override func request(
            _ target: Transfer, callbackQueue: DispatchQueue? = nil,
            progress: ProgressBlock? = nil, completion: @escaping Completion
        ) -> any Cancellable {
            calls.record("completion")
            return super.request(
                target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        }

        override func request(_ target: Transfer) async throws -> Response {
            calls.record("await")
            return try await super.request(target)
        }
    }

    private let provider = Counting(transport: CurlTransport())

    private func expectEndpointAlone() {
        #expect(Set(provider.calls.items) == ["endpoint"])
    }

    @Test func `server-sent events reach the override of endpoint alone`() async throws {
        let server = try MockServer { _ in MockResponse(status: 204) }
        defer { server.stop() }
        let target = Transfer(baseURL: server.url, path: "/", task: .requestPlain)
        _ = try await provider.serverSentEvents(target).collected()
        #expect(server.requests.count == 1)
        expectEndpointAlone()
    }

    @Test func `a resumable download reaches the override of endpoint alone`() async throws {
        let server = try MockServer { _ in MockResponse(body: .data(Data("bytes".utf8))) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let target = Transfer(baseURL: server.url, path: "/", task: .requestPlain)
        let file = folder.url.appendingPathComponent("file")
        _ = try await provider.resumableDownload(target, to: file)
        #expect(try Data(contentsOf: file) == Data("bytes".utf8))
        expectEndpointAlone()
    }

    @Test func `a resumable upload reaches the override of endpoint alone`() async throws {
        let server = try TusServer()
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = try folder.file("file", Data("bytes".utf8))
        _ = try await provider.resumableUpload(file, to: server.target)
        #expect(!provider.calls.items.isEmpty)
        expectEndpointAlone()
    }
}
