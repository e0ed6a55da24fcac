import Foundation
import MoyaCore

extension MoyaProvider {
    /// Creates a session with ``FoundationTransport/defaultHeaders``.
    public final class func defaultSession() -> Session {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        return Session(configuration: configuration, startRequestsImmediately: false)
    }

    /// Creates a session like ``defaultSession()``, by Moya's name.
    @available(*, deprecated, renamed: "defaultSession()")
    public final class func defaultAlamofireSession() -> Session { defaultSession() }

    /// Creates a provider that sends requests with a URLSession session, as in Moya.
    ///
    /// - Parameters:
    ///   - endpointClosure: Creates the endpoint of a target.
    ///   - requestClosure: Creates the request of an endpoint, possibly asynchronously.
    ///   - stubClosure: Decides whether a request is stubbed. By default, no request is stubbed.
    ///   - callbackQueue: Queue for completions and progress. `nil`, the default, is the main
    ///     queue.
    ///   - session: Sends the requests that are not stubbed.
    ///   - plugins: Plugins that observe and change requests and results, in this order.
    ///   - trackInflights: Whether an equal request in flight is shared. `false` by default.
    ///   - coders: Coders for responses and request bodies.
    // The compiler shows the line of this initializer in the error of a subclass that calls it.
    @preconcurrency
    public convenience init(  // In a subclass: super.init(transport: session, …)
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false,
        coders: Coders = .json
    ) {
        self.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure,
            stubClosure: stubClosure, callbackQueue: callbackQueue, transport: session,
            plugins: plugins, trackInflights: trackInflights, coders: coders)
    }

    /// Session of the provider. `nil` if the provider's transport is not a session, for example a
    /// layer around one.
    public final var session: Session? { transport as? Session }
}
