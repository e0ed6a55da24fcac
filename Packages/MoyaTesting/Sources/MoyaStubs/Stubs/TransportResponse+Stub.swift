import Foundation
import MoyaCore

extension TransportResponse {
    /// Returns a response to `request` with its body in memory.
    ///
    /// - Throws: `URLError(.badURL)` for a request without a URL.
    public static func stub(
        status: Int = 200, headers: [HeaderField] = [], data: Data = Data(),
        for request: TransportRequest
    ) throws -> TransportResponse {
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        return TransportResponse(
            head: ResponseHead(statusCode: status, url: url, fields: headers), body: .data(data))
    }

    /// Returns a response to `request` with `json`, encoded by the JSON encoder of the request's
    /// coders. Without coders, keys are sorted.
    ///
    /// - Throws: Errors of the encoder; `URLError(.badURL)` for a request without a URL.
    public static func stub(
        status: Int = 200, json: some Encodable, for request: TransportRequest
    ) throws -> TransportResponse {
        let encoder = request.context.coders.encoder(for: "application/json")
        return try .stub(
            status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
            data: encoder.encode(json), for: request)
    }
}
