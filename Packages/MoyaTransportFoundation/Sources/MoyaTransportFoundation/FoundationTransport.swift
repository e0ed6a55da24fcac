import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests over URLSession.
///
/// Redirects, credentials and limits are treated here and not by URLSession, so that they are the same
/// on every platform and the same as with the other transports. It keeps no cookies, credentials or
/// cache. Share one transport between providers; it is safe to use from any thread.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: FoundationTransport())
/// ```
public final class FoundationTransport: Transport {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// A transport that connects as `configuration` says.
    ///
    /// - Throws: ``ConfigurationError`` for what URLSession cannot do on this platform.
    public init(configuration: Configuration) throws(ConfigurationError) {
        delegate = SessionDelegate(anchors: try configuration.anchors())
        session = URLSession(
            configuration: configuration.makeSessionConfiguration(), delegate: delegate,
            delegateQueue: nil)
    }

    /// A transport with the default configuration.
    public init() {
        delegate = SessionDelegate(anchors: nil)
        session = URLSession(
            configuration: Configuration().makeSessionConfiguration(), delegate: delegate,
            delegateQueue: nil)
    }

    deinit { shutdown() }

    /// Cancels every exchange and closes every connection. Requests made later fail with
    /// `URLError(.cancelled)`. Later calls do nothing.
    public func shutdown() {
        // The session holds on to its delegate until it is told this.
        if delegate.close() { session.invalidateAndCancel() }
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await request.followingRedirects { request in
            let response = try await exchange(request)
            guard let retry = BasicAuthentication.retry(of: request, after: response) else {
                return response
            }
            if case .file(let url) = response.body { try FileManager.default.removeItem(at: url) }
            return try await exchange(retry)
        }
    }

    private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
        try request.validate()
        let exchange = try SessionExchange(request)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.wait(continuation)
                delegate.start(exchange, on: session)
            }
            return try exchange.outcome()
        } onCancel: {
            exchange.cancel()
        }
    }
}
