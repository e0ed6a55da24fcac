import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Transports as arguments of a test.
public enum Carrier: String, CaseIterable, Sendable {
    #if CURL
        case curl
    #endif
    case foundation

    /// A new transport with a timeout of 120 s.
    public var transport: any Transport {
        switch self {
        #if CURL
            case .curl: PatientTransport(base: CurlTransport())
        #endif
        case .foundation: PatientTransport(base: FoundationTransport())
        }
    }
}

/// Sets a timeout of 120 s: servers of tests may be silent on purpose, and a busy machine may delay
/// a test between two lines.
private struct PatientTransport: Transport {
    let base: any Transport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.urlRequest.timeoutInterval = 120
        return try await base.send(request)
    }
}
