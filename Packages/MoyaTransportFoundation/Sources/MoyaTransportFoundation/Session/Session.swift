import Foundation
import MoyaCore

/// Transport created from a `URLSessionConfiguration`, by Moya's name.
///
/// ```swift
/// let configuration = URLSessionConfiguration.default
/// configuration.headers = .default
/// configuration.timeoutIntervalForRequest = 10
/// let provider = MoyaProvider<GitHub>(session: Session(configuration: configuration))
/// ```
///
/// The session uses the configuration's cookies, proxies and header fields, and on Apple platforms
/// its cache. `timeoutIntervalForRequest` is the idle timeout of requests with the default
/// `timeoutInterval`, and `timeoutIntervalForResource` the timeout of the whole exchange. Redirects
/// and credentials are handled as by ``FoundationTransport``.
///
/// If URLSession does not support the configuration on this platform, every request fails with a
/// `URLError` that contains a ``FoundationTransport/ConfigurationError``.
/// ``FoundationTransport/init(configuration:)`` throws when the transport is created instead.
public final class Session: ClosableTransport {
    /// Copy of the configuration. Changing it has no effect on the session.
    public var sessionConfiguration: URLSessionConfiguration { Self.copy(of: configuration.value) }

    /// Value passed to the initializer. Has no effect: the provider starts each request itself.
    public let startRequestsImmediately: Bool

    private let configuration: Frozen
    private let transport: Result<FoundationTransport, FoundationTransport.ConfigurationError>

    /// Creates a session with the given configuration.
    ///
    /// - Parameters:
    ///   - startRequestsImmediately: Has no effect, as in Moya: the provider starts each request
    ///     itself. For compatibility with Alamofire.
    ///   - serverTrustManager: Evaluates server certificates. On Linux, it makes every request
    ///     fail.
    public init(
        configuration: URLSessionConfiguration = .default, startRequestsImmediately: Bool = true,
        serverTrustManager: ServerTrustManager? = nil
    ) {
        let own = Self.copy(of: configuration)
        self.startRequestsImmediately = startRequestsImmediately
        self.configuration = Frozen(value: own)
        transport = Result { () throws(FoundationTransport.ConfigurationError) in
            let session = Self.copy(of: own)
            let platform = try SessionPlatform(checking: session, manager: serverTrustManager)
            platform.adapt(session)
            let headers = session.headers.dictionary
            try FoundationTransport.validate(headers)
            // FoundationTransport adds the fields: URLSession would send them to any host that a
            // redirect names.
            session.httpAdditionalHeaders = nil
            let options = FoundationTransport.Options(
                additionalHeaders: headers, exchangeTimeout: own.timeoutIntervalForResource,
                timeout: own.timeoutIntervalForRequest)
            return FoundationTransport(session, options, platform)
        }
    }

    /// The header fields of the configuration.
    public var sessionHeaders: [String: String] { (try? transport.get())?.sessionHeaders ?? [:] }

    /// Cancels all requests in progress, and streamed responses that are still being read, with
    /// `URLError(.cancelled)`. Later requests are sent. A request that the provider has started,
    /// but that has not reached the session, is sent as well: cancel its token.
    ///
    /// - Parameters:
    ///   - queue: Queue for `completion`. The main queue by default.
    ///   - completion: Called after all requests have been cancelled.
    @preconcurrency
    public func cancelAllRequests(
        completingOnQueue queue: DispatchQueue = .main, completion: (@Sendable () -> Void)? = nil
    ) {
        if case .success(let transport) = transport { transport.cancelAll() }
        if let completion { queue.async(execute: completion) }
    }

    /// Cancels all exchanges and closes all connections. Later requests fail with
    /// `URLError(.cancelled)`.
    public func shutdown() {
        if case .success(let transport) = transport { transport.shutdown() }
    }

    /// Sends a request.
    ///
    /// - Throws: `RequestError` for an invalid request; `URLError`, also for a configuration that
    ///   is not supported on this platform; errors of a streamed request body.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        switch transport {
        case .success(let transport): return try await transport.send(request)
        case .failure(let error):
            throw URLError(
                .unknown, error.description, url: request.urlRequest.url, cause: error)
        }
    }

    private static func copy(of configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        configuration.copy() as? URLSessionConfiguration ?? configuration
    }
}

/// Owned configuration.
private struct Frozen: @unchecked Sendable {
    // Safe: the value is a private copy that is never changed after initialization.
    let value: URLSessionConfiguration
}

extension Moya {
    public typealias Session = MoyaTransportFoundation.Session
}
