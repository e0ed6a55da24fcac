import Foundation
import MoyaCore
import MoyaTransportFoundation

#if os(Linux)
    import MoyaTransportCurl
#endif

/// The transport of providers that were given none.
private let sharedTransport: any Transport = {
    #if os(Linux)
        CurlTransport()
    #else
        FoundationTransport()
    #endif
}()

extension MoyaProvider {
    /// The transport of providers that were given none, one for the whole process: a `CurlTransport` on
    /// Linux, a `FoundationTransport` elsewhere.
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
    @preconcurrency
    public convenience init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure,
            stubClosure: stubClosure,
            callbackQueue: callbackQueue, transport: MoyaProvider.defaultTransport(),
            plugins: plugins,
            trackInflights: trackInflights)
    }
}
