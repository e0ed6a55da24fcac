// A subclass in the way of Moya's MultiTarget document: a Session is a transport, so the designated initialiser takes either.
// Swift wants `@unchecked Sendable` again; this class adds no state.
import Foundation
import Moya

nonisolated final class MultiProvider: MoyaProvider<MultiTarget>, @unchecked Sendable {
    override init(
        endpointClosure: @escaping EndpointClosure, requestClosure: @escaping RequestClosure,
        stubClosure: @escaping StubClosure, callbackQueue: DispatchQueue?,
        transport: any Transport, plugins: [any PluginType], trackInflights: Bool
    ) {
        super.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure,
            stubClosure: stubClosure, callbackQueue: callbackQueue, transport: transport,
            plugins: plugins, trackInflights: trackInflights)
    }

    convenience init(session: Session, plugins: [any PluginType] = []) {
        self.init(
            endpointClosure: Self.defaultEndpointMapping,
            requestClosure: Self.defaultRequestMapping,
            stubClosure: Self.neverStub, callbackQueue: nil, transport: session, plugins: plugins,
            trackInflights: false)
    }
}
