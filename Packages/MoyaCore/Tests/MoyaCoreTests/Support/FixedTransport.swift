import Foundation
import MoyaCore
import MoyaTestSupport

/// Responds immediately with a status code and a body, or fails.
struct FixedTransport: Transport {
    var status = 200
    var body = ResponseBody.data(Data("answer".utf8))
    var error: (any Error)?

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let error { throw error }
        let head = ResponseHead(
            statusCode: status, url: request.urlRequest.url ?? url("http://host.test"))
        return TransportResponse(head: head, body: body)
    }
}
