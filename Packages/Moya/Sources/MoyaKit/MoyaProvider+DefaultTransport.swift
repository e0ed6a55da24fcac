import Foundation
import MoyaCore
import MoyaTransportFoundation

#if os(Linux)
    import MoyaTransportCurl
#endif

/// The transport of providers that are created without a transport. It keeps cookies like Moya's
/// session, because code may sign in with one request and rely on the session cookie in the next.
private let sharedTransport: any Transport = {
    #if os(Linux)
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        configuration.userAgent =
            FoundationTransport.defaultHeaders["User-Agent"] ?? configuration.userAgent
        // The configuration is valid, so this fails only if libcurl cannot be initialized. Then
        // every request of `CurlTransport()` fails with that error.
        return (try? CurlTransport(configuration: configuration)) ?? CurlTransport()
    #else
        // A session, so that `provider.session` is that of the provider, as in Moya.
        return MoyaProvider<MultiTarget>.defaultSession()
    #endif
}()

extension MoyaProvider {
    /// Returns the transport of providers that are created without a transport, one for the whole
    /// process: a `CurlTransport` on Linux, a `Session` elsewhere.
    ///
    /// The transport keeps cookies, like Moya's session. On Linux they stay in memory until the
    /// process ends or `CurlTransport.removeCookies()` is called. Elsewhere they are in
    /// `HTTPCookieStorage.shared`, and responses in `URLCache.shared`. A program that sends
    /// requests for several users needs a transport for each user, or a transport without cookies:
    /// `MoyaProvider(transport: CurlTransport())`, which also uses several threads, because only a
    /// transport with cookies needs a single one.
    ///
    /// A subclass with a custom initializer passes the transport on: `super.init(transport:
    /// Self.defaultTransport(), plugins: plugins)`.
    public final class func defaultTransport() -> any Transport { sharedTransport }

    /// Creates a provider with the ``defaultTransport()``.
    ///
    /// - Parameters:
    ///   - endpointClosure: Creates the endpoint of a target.
    ///   - requestClosure: Creates the request of an endpoint, at once or later.
    ///   - stubClosure: Decides whether a request is stubbed. By default no request is.
    ///   - callbackQueue: Queue of completions and progress. `nil` is the main queue.
    ///   - plugins: Observe and change requests and results, in this order.
    ///   - trackInflights: Whether a request that equals a request in flight shares its response.
    ///   - coders: Decode responses and encode bodies.
    // The compiler shows the line of this initializer in the error of a subclass that calls it.
    @preconcurrency
    public convenience init(  // In a subclass: super.init(transport: Self.defaultTransport(), …)
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false,
        coders: Coders = .json
    ) {
        self.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure,
            stubClosure: stubClosure, callbackQueue: callbackQueue,
            transport: MoyaProvider.defaultTransport(), plugins: plugins,
            trackInflights: trackInflights, coders: coders)
    }
}
