import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests over URLSession.
///
/// Redirects, credentials, timeouts and limits are treated here and not by URLSession, so that they are
/// the same on every platform and the same as with the other transports. It keeps no cookies,
/// credentials or cache. Share one transport between providers; it is safe to use from any thread.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: FoundationTransport())
/// ```
///
/// The request's `timeoutInterval` bounds how long nothing may move, in seconds. What URLSession cannot
/// do on a platform stands in this package's README.
public final class FoundationTransport: Transport {
    private let delegate: SessionDelegate
    private let additionalHeaders: [String: String]
    private let exchangeTimeout: TimeInterval?

    /// A transport that connects as `configuration` says.
    ///
    /// - Throws: ``ConfigurationError`` for what URLSession cannot do on this platform.
    public convenience init(configuration: Configuration) throws(ConfigurationError) {
        try configuration.validate()
        self.init(configuration, anchors: try configuration.anchors())
    }

    /// A transport with the default configuration.
    public convenience init() {
        self.init(Configuration(), anchors: nil)
    }

    private init(_ configuration: Configuration, anchors: ServerTrust.Anchors?) {
        additionalHeaders = configuration.headers
        exchangeTimeout = configuration.exchangeTimeout
        delegate = SessionDelegate(anchors: anchors)
        delegate.open(configuration.makeSessionConfiguration())
    }

    deinit { shutdown() }

    /// Cancels every exchange and closes every connection. Requests made later fail with
    /// `URLError(.cancelled)`. Later calls do nothing.
    public func shutdown() {
        delegate.close()
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        // Not left to URLSession: it would send them to other origins as well.
        for (name, value) in additionalHeaders
        where request.urlRequest.value(forHTTPHeaderField: name) == nil {
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        let deadline = exchangeTimeout.map { DispatchTime.now() + $0 }
        return try await request.followingRedirects { request in
            let response = try await exchange(request, deadline)
            guard let retry = BasicAuthentication.retry(of: request, after: response) else {
                return response
            }
            // The body that came with the question is of no use, and its file stands in the next one's way.
            if case .file(let url) = response.body { try FileManager.default.removeItem(at: url) }
            return try await exchange(retry, deadline)
        }
    }

    private func exchange(
        _ request: TransportRequest, _ deadline: DispatchTime?
    ) async throws -> TransportResponse {
        let exchange = try SessionExchange(request, deadline: deadline)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.wait(continuation)
                delegate.start(exchange)
            }
        } onCancel: {
            exchange.cancel()
        }
    }
}
