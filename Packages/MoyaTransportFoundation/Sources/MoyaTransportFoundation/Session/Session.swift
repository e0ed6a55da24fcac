import Foundation
import MoyaCore

/// A transport made of a `URLSessionConfiguration`, by the name Moya knows it.
///
/// ```swift
/// let configuration = URLSessionConfiguration.default
/// configuration.headers = .default
/// configuration.timeoutIntervalForRequest = 10
/// let provider = MoyaProvider<GitHub>(session: Session(configuration: configuration))
/// ```
///
/// The configuration counts as it is: its cookies, its cache on Apple platforms, its proxies, its header fields. Its
/// `timeoutIntervalForRequest` bounds how long nothing may move for requests without a `timeoutInterval` of their
/// own, and its `timeoutIntervalForResource` the whole exchange. Redirects and credentials are looked after as by
/// ``FoundationTransport``.
///
/// A configuration that URLSession on this platform cannot do fails every request with a `URLError`, with a
/// ``FoundationTransport/ConfigurationError`` inside that says what can. To be told when the session is made, use
/// ``FoundationTransport/init(configuration:)``.
public final class Session: Transport {
    /// The configuration this was made of. Changing it changes nothing.
    public var sessionConfiguration: URLSessionConfiguration { Self.copy(of: configuration.value) }

    /// What the session was made with. It makes no difference: the provider starts each request itself.
    public let startRequestsImmediately: Bool

    private let configuration: Frozen
    private let transport: Result<FoundationTransport, FoundationTransport.ConfigurationError>

    /// A session that connects as `configuration` says.
    ///
    /// - Parameters:
    ///   - startRequestsImmediately: As in Alamofire, for code that has it. The provider starts each
    ///     request itself, so it makes no difference, as it makes none with Moya.
    ///   - serverTrustManager: Says whose certificate to trust. On Apple platforms alone.
    public convenience init(
        configuration: URLSessionConfiguration = .default, startRequestsImmediately: Bool = true,
        serverTrustManager: ServerTrustManager? = nil
    ) {
        self.init(configuration, startRequestsImmediately) {
            configuration throws(FoundationTransport.ConfigurationError) in
            try SessionPlatform(checking: configuration, manager: serverTrustManager)
        }
    }

    private init(
        _ configuration: URLSessionConfiguration, _ startRequestsImmediately: Bool,
        _ makePlatform: (URLSessionConfiguration) throws(FoundationTransport.ConfigurationError) ->
            SessionPlatform
    ) {
        let own = Self.copy(of: configuration)
        self.startRequestsImmediately = startRequestsImmediately
        self.configuration = Frozen(value: own)
        transport = Result { () throws(FoundationTransport.ConfigurationError) in
            let session = Self.copy(of: own)
            let platform = try makePlatform(session)
            platform.adapt(session)
            let headers = session.headers.dictionary
            try FoundationTransport.validate(headers)
            // Added to each request here: URLSession sends them to any host a redirect names.
            session.httpAdditionalHeaders = nil
            let options = FoundationTransport.Options(
                additionalHeaders: headers, exchangeTimeout: own.timeoutIntervalForResource,
                timeout: own.timeoutIntervalForRequest)
            return FoundationTransport(session, options, platform)
        }
    }

    /// Cancels every request that is under way, and what is still being read of a response, with
    /// `URLError(.cancelled)`. Requests made later are sent, and so is one that a provider has just been asked for and that
    /// has not reached the session yet: cancel its token.
    ///
    /// - Parameters:
    ///   - queue: Where `completion` is called.
    ///   - completion: Called when all are cancelled.
    @preconcurrency
    public func cancelAllRequests(
        completingOnQueue queue: DispatchQueue = .main, completion: (@Sendable () -> Void)? = nil
    ) {
        if case .success(let transport) = transport { transport.cancelAll() }
        if let completion { queue.async(execute: completion) }
    }

    /// Cancels every exchange and closes every connection. Requests made later fail with
    /// `URLError(.cancelled)`.
    public func shutdown() {
        if case .success(let transport) = transport { transport.shutdown() }
    }

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

/// A configuration that has one owner and is not changed, which is why it may be shared.
private struct Frozen: @unchecked Sendable {
    let value: URLSessionConfiguration
}
