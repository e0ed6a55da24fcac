import MoyaCore

// The names of this module under the prefix `Moya.`: see `Moya` in MoyaCore.
extension Moya {
    public typealias CurlError = MoyaTransportCurl.CurlError
    public typealias CurlTransport = MoyaTransportCurl.CurlTransport
}
