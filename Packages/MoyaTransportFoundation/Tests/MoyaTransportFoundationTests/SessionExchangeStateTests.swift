import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transition that ends an exchange also decides whether its file is kept.
@Suite struct SessionExchangeStateTests {
    private let url: URL
    private let file: URL
    private let request: TransportRequest
    private let response: HTTPURLResponse

    init() throws {
        url = try #require(URL(string: "http://a.test/"))
        file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "exchange-\(UUID().uuidString)")
        request = TransportRequest(URLRequest(url: url), destination: .file(file))
        response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    }

    @Test func `a cancel after success leaves the exchange's response and file unchanged`()
        async throws
    {
        let state = Locked(
            SessionExchangeState(file: try NewFile(file), progress: TransferProgress()))
        defer { try? FileManager.default.removeItem(at: file) }
        try await waitUntilResumed { [request, response, url] continuation in
            state.withLock { state in
                state.wait(continuation)
                state.succeed(request, response, url)?.resume()
            }
        }
        #expect(state.withLock { $0.fail(URLError(.cancelled)) } == nil)
        #expect(try state.withLock { $0.outcome }?.get().head.statusCode == 200)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a success after a cancel is ignored, and no file is left`() async throws {
        let state = Locked(
            SessionExchangeState(file: try NewFile(file), progress: TransferProgress()))
        try await waitUntilResumed { continuation in
            state.withLock { state in
                state.wait(continuation)
                state.fail(URLError(.cancelled))?.resume()
            }
        }
        #expect(state.withLock { $0.succeed(request, response, url) } == nil)
        #expect(throws: URLError(.cancelled)) { try state.withLock { $0.outcome }?.get() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a failure settled by the exchange takes precedence over the session's error`()
        async throws
    {
        let exchange = try SessionExchange(request)
        try await waitUntilResumed { continuation in
            exchange.wait(continuation)
            exchange.settle(with: URLError(.serverCertificateUntrusted))
            exchange.complete(URLError(.cancelled))
        }
        #expect(throws: URLError(.serverCertificateUntrusted)) { try exchange.outcome() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// Like `withCheckedContinuation`, with a time limit.
    private func waitUntilResumed(
        _ body: @escaping @Sendable (CheckedContinuation<Void, Never>) -> Void
    ) async throws {
        try await withCallback { callback in
            Task {
                await withCheckedContinuation { body($0) }
                callback.resume()
            }
        }
    }
}
