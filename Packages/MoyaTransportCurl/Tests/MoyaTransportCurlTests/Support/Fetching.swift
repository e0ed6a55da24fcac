import Foundation
import MoyaCore
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a GET request on a new transport.
func fetch(
    _ text: String, _ change: (inout CurlTransport.Configuration) -> Void
) async throws -> TransportResponse {
    var configuration = CurlTransport.Configuration()
    change(&configuration)
    let url = try #require(URL(string: text))
    return try await CurlTransport(configuration: configuration)
        .send(TransportRequest(URLRequest(url: url)))
}
