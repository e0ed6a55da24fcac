// A subclass as in Moya's MultiTarget document. A Session is a transport, so the designated
// initialiser accepts both. Swift requires subclasses to repeat `@unchecked Sendable`; this class
// adds no state.
import Foundation
import Moya

nonisolated final class MultiProvider: MoyaProvider<MultiTarget>, @unchecked Sendable {
    override init(
        endpointClosure: @escaping EndpointClosure, requestClosure: @escaping RequestClosure,
        stubClosure: @escaping StubClosure, callbackQueue: DispatchQueue?,
        transport: any Transport, plugins: [any PluginType], trackInflights: Bool,
        coders: Coders
    ) {
        super.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure,
            stubClosure: stubClosure, callbackQueue: callbackQueue, transport: transport,
            plugins: plugins, trackInflights: trackInflights, coders: coders)
    }

    convenience init(session: Session, plugins: [any PluginType] = []) {
        self.init(
            endpointClosure: Self.defaultEndpointMapping,
            requestClosure: Self.defaultRequestMapping,
            stubClosure: Self.neverStub, callbackQueue: nil, transport: session, plugins: plugins,
            trackInflights: false, coders: .json)
    }
}
