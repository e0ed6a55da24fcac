import Foundation
@_spi(MoyaInternals) import MoyaCore
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whoever ends an exchange decides about its file in the same step.
@Suite struct ExchangeStateTests {
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
        var state = ExchangeState(file: try NewFile(file), progress: TransferProgress())
        defer { try? FileManager.default.removeItem(at: file) }
        await withCheckedContinuation { continuation in
            state.wait(continuation)
            state.succeed(request, response, url)?.resume()
        }
        #expect(state.fail(URLError(.cancelled)) == nil)
        #expect(try state.outcome?.get().head.statusCode == 200)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a success after a cancel is ignored, and no file is left`() async throws {
        var state = ExchangeState(file: try NewFile(file), progress: TransferProgress())
        await withCheckedContinuation { continuation in
            state.wait(continuation)
            state.fail(URLError(.cancelled))?.resume()
        }
        #expect(state.succeed(request, response, url) == nil)
        #expect(throws: URLError(.cancelled)) { try state.outcome?.get() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `the exchange's own failure takes precedence over the session's error`() async throws
    {
        let exchange = try SessionExchange(request)
        await withCheckedContinuation { continuation in
            exchange.wait(continuation)
            exchange.settle(with: URLError(.serverCertificateUntrusted))
            exchange.complete(URLError(.cancelled))
        }
        #expect(throws: URLError(.serverCertificateUntrusted)) { try exchange.outcome() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
