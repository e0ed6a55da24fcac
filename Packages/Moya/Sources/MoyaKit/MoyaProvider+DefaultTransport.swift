import Foundation
import MoyaCore
import MoyaTransportFoundation

#if os(Linux)
    import MoyaTransportCurl
#endif

/// The transport of providers that were given none. It keeps what Moya's session keeps, since code that signs in with
/// one request and goes on with the next relies on it.
private let sharedTransport: any Transport = {
    #if os(Linux)
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        configuration.userAgent =
            FoundationTransport.defaultHeaders["User-Agent"] ?? configuration.userAgent
        return (try? CurlTransport(configuration: configuration)) ?? CurlTransport()
    #else
        var configuration = FoundationTransport.Configuration()
        configuration.cookies = .shared
        configuration.cache = .shared
        return (try? FoundationTransport(configuration: configuration)) ?? FoundationTransport()
    #endif
}()

extension MoyaProvider {
    /// The transport of providers that were given none, one for the whole process: a `CurlTransport` on
    /// Linux, a `FoundationTransport` elsewhere.
    ///
    /// It keeps cookies, as Moya's session does: on Linux in memory until the process ends
    /// (`CurlTransport.removeCookies()` forgets them), elsewhere in `HTTPCookieStorage.shared`, beside
    /// `URLCache.shared`. A program that sends requests for several users gives each a transport of their own, or one
    /// without cookies: `MoyaProvider(transport: CurlTransport())`, which uses several threads as well.
    ///
    /// A subclass with an initialiser of its own passes it on:
    /// `super.init(transport: Self.defaultTransport(), plugins: plugins)`.
    public final class func defaultTransport() -> any Transport { sharedTransport }

    /// A provider on the ``defaultTransport()``.
    ///
    /// - Parameters:
    ///   - endpointClosure: Makes an endpoint of a target.
    ///   - requestClosure: Makes the request of an endpoint, now or later.
    ///   - stubClosure: Decides whether a request is stubbed. Nothing is unless you say so.
    ///   - callbackQueue: Where completions and progress arrive. `nil` is the main queue.
    ///   - plugins: Watch and change requests and results, in this order.
    ///   - trackInflights: Whether equal requests made while one is in flight wait for its response.
    ///   - coders: Decode responses and encode bodies.
    @preconcurrency
    public convenience init(
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
            stubClosure: stubClosure,
            callbackQueue: callbackQueue, transport: MoyaProvider.defaultTransport(),
            plugins: plugins,
            trackInflights: trackInflights, coders: coders)
    }
}
