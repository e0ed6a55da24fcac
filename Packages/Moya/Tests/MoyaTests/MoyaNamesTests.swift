import Moya
import MoyaTransportFoundation
import Testing

#if os(Linux)
    import MoyaTransportCurl
#endif

@Suite struct MoyaNamesTests {
    @Test func `types of the transports are available with the prefix Moya`() {
        var names: [(Any.Type, Any.Type)] = [
            (
                Moya.FoundationTransport.self,
                MoyaTransportFoundation.FoundationTransport.self
            ),
            (Moya.HTTPHeaders.self, MoyaTransportFoundation.HTTPHeaders.self),
            (Moya.Session.self, MoyaTransportFoundation.Session.self),
        ]
        #if os(Linux)
            names.append((Moya.CurlError.self, MoyaTransportCurl.CurlError.self))
            names.append((Moya.CurlTransport.self, MoyaTransportCurl.CurlTransport.self))
        #endif
        for (prefixed, plain) in names {
            #expect(ObjectIdentifier(prefixed) == ObjectIdentifier(plain))
        }
    }
}
