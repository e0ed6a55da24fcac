import Foundation
import MoyaCore

extension MoyaProvider {
    /// A session with ``FoundationTransport/defaultHeaders``.
    public final class func defaultSession() -> Session {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        return Session(configuration: configuration, startRequestsImmediately: false)
    }

    /// What ``defaultSession()`` gives, by the name Moya has for it.
    @available(*, deprecated, renamed: "defaultSession()")
    public final class func defaultAlamofireSession() -> Session { defaultSession() }

    /// A provider on a session of URLSession's, as in Moya.
    ///
    /// - Parameters:
    ///   - endpointClosure: Makes an endpoint of a target.
    ///   - requestClosure: Makes the request of an endpoint, now or later.
    ///   - stubClosure: Decides whether a request is stubbed. Nothing is unless you say so.
    ///   - callbackQueue: Where completions and progress arrive. `nil` is the main queue.
    ///   - session: Carries the requests that are not stubbed.
    ///   - plugins: Watch and change requests and results, in this order.
    ///   - trackInflights: Whether equal requests made while one is in flight wait for its response.
    ///   - coders: Decode responses and encode bodies.
    @preconcurrency
    public convenience init(
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

    /// The session this was made with. `nil` for a provider on another transport, a layer around a session too.
    public final var session: Session? { transport as? Session }
}
