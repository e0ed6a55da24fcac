import Foundation
import MoyaCore

extension TransportResponse {
    /// A response in memory to `request`.
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

    /// A response with `json`, encoded with its keys in order, to `request`.
    ///
    /// - Throws: What encoding throws; `URLError(.badURL)` for a request without a URL.
    public static func stub(
        status: Int = 200, json: some Encodable, for request: TransportRequest
    ) throws -> TransportResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try .stub(
            status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
            data: encoder.encode(json), for: request)
    }
}
