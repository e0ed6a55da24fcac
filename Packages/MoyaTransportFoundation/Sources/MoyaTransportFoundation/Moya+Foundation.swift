import MoyaCore

// The names of this module under the prefix `Moya.`: see `Moya` in MoyaCore.
extension Moya {
    public typealias FoundationTransport = MoyaTransportFoundation.FoundationTransport
    public typealias HTTPHeaders = MoyaTransportFoundation.HTTPHeaders
    public typealias Session = MoyaTransportFoundation.Session
}
