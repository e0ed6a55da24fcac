import Foundation
import MoyaCore
import MoyaTransportCurl
import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transports that a test runs on.
public enum Carrier: String, CaseIterable, Sendable {
    case curl, foundation

    public var transport: any Transport {
        switch self {
        case .curl: PatientTransport(base: CurlTransport())
        case .foundation: PatientTransport(base: FoundationTransport())
        }
    }
}

/// Waits longer than usual for a server that says nothing: some do so on purpose, and a busy machine takes its time to
/// come to the next line of a test.
private struct PatientTransport: Transport {
    let base: any Transport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.urlRequest.timeoutInterval = 120
        return try await base.send(request)
    }
}
