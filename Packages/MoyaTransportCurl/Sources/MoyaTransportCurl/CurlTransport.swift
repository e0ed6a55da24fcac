import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests over libcurl.
///
/// All requests share one thread that waits for sockets, and the connections that are open: share one
/// transport between providers. It is safe to use from any thread.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport())
/// ```
///
/// The request's `timeoutInterval` bounds how long nothing may move, in seconds, as it does for
/// `URLSession`. Responses are decompressed unless the request has an `Accept-Encoding` of its own.
public final class CurlTransport: Transport {
    private let configuration: Configuration
    private let loop: Result<CurlLoop, any Error>

    /// A transport that connects as `configuration` says.
    ///
    /// - Throws: ``ConfigurationError`` for what the installed libcurl cannot do.
    public init(configuration: Configuration) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
        loop = Result { try CurlLoop(configuration) }
    }

    /// A transport with the default configuration.
    ///
    /// Should the system have no descriptor left for it, every request says so.
    public init() {
        let configuration = Configuration()
        self.configuration = configuration
        loop = Result {
            try configuration.validate()
            return try CurlLoop(configuration)
        }
    }

    deinit { shutdown() }

    /// Cancels every exchange, closes every connection and ends the thread. Requests made later fail
    /// with `URLError(.cancelled)`. Later calls do nothing.
    public func shutdown() {
        if case .success(let loop) = loop { loop.stop() }
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let loop: CurlLoop
        do {
            loop = try self.loop.get()
        } catch {
            throw URLError(.unknown, "\(error)", url: request.urlRequest.url, cause: error)
        }
        return try await request.followingRedirects { request in
            try await exchange(request, on: loop)
        }
    }

    private func exchange(
        _ request: TransportRequest, on loop: CurlLoop
    ) async throws -> TransportResponse {
        let transfer = Transfer(request, configuration)
        return try await withTaskCancellationHandler {
            // Resumed once: `Transfer.finish` takes the continuation out, on the loop's thread alone,
            // and the loop finishes every transfer it was given.
            await withUnsafeContinuation { continuation in
                transfer.continuation = continuation
                loop.submit(.start(transfer))
            }
            return try transfer.outcome.withLock { $0 }.get()
        } onCancel: {
            loop.submit(.cancel(transfer))
        }
    }
}
