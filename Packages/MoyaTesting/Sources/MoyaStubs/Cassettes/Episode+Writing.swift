import Foundation
import MoyaCore

/// Converts exchanges to entries of an HTTP Archive. Secrets are masked.
struct EpisodeWriter: Sendable {
    let mask: CassetteMask

    func entry(
        _ request: TransportRequest, _ response: TransportResponse, body: Data, started: Date,
        duration: TimeInterval
    ) -> JSONValue {
        [
            "startedDateTime": .string(Self.timestamp(started)),
            "time": .number((duration * 1000).rounded()),
            "request": entry(request, version: response.head.httpVersion),
            "response": entry(response, body: body, to: request),
            "cache": [:],
            "timings": ["send": 0, "wait": .number((duration * 1000).rounded()), "receive": 0],
        ]
    }

    private func entry(_ request: TransportRequest, version: String) -> JSONValue {
        let masked = mask.request(request)
        var fields: [String: JSONValue] = [
            "method": .string(masked.method.rawValue), "url": .string(masked.url),
            "httpVersion": .string(version), "cookies": [],
            "headers": Self.pairs(masked.fields.map { ($0.name, $0.value) }),
            "queryString": Self.pairs(
                (URLComponents(string: masked.url)?.queryItems ?? []).map {
                    ($0.name, $0.value ?? "")
                }),
            "headersSize": -1, "bodySize": .number(Double(request.bodyBytes?.count ?? 0)),
        ]
        if let body = masked.body {
            let (text, encoding) = Self.text(of: body)
            var postData: [String: JSONValue] = [
                "mimeType": .string(masked.values(for: "Content-Type").first ?? ""),
                "params": [], "text": .string(text),
            ]
            // HAR 1.2 defines no encoding for request bodies. Names with an underscore are custom
            // fields.
            postData["_encoding"] = encoding.map(JSONValue.string)
            fields["postData"] = .object(postData)
        }
        return .object(fields)
    }

    private func entry(
        _ response: TransportResponse, body: Data, to request: TransportRequest
    ) -> JSONValue {
        let head = response.head
        let type = head.values(for: "Content-Type").first ?? ""
        let (text, encoding) = Self.text(of: mask.maskBody(body, type))
        var content: [String: JSONValue] = [
            "size": .number(Double(body.count)), "mimeType": .string(type), "text": .string(text),
        ]
        content["encoding"] = encoding.map(JSONValue.string)
        var fields: [String: JSONValue] = [
            "status": .number(Double(head.statusCode)),
            "statusText": .string(
                HTTPURLResponse.localizedString(forStatusCode: head.statusCode)),
            "httpVersion": .string(head.httpVersion), "cookies": [],
            "headers": Self.pairs(mask.fields(head.fields).map { ($0.name, $0.value) }),
            "content": .object(content),
            "redirectURL": .string(head.values(for: "Location").first.map(mask.url) ?? ""),
            "headersSize": -1, "bodySize": .number(Double(response.metrics.bytesReceived)),
        ]
        if head.url != request.urlRequest.url {
            fields["_url"] = .string(mask.url(head.url.absoluteString))
        }
        return .object(fields)
    }

    private static func pairs(_ pairs: [(String, String)]) -> JSONValue {
        .array(pairs.map { ["name": .string($0.0), "value": .string($0.1)] })
    }

    /// Returns the bytes as text, or as Base64 if they are not valid UTF-8.
    private static func text(of data: Data) -> (text: String, encoding: String?) {
        if let text = String(data: data, encoding: .utf8) { return (text, nil) }
        return (data.base64EncodedString(), "base64")
    }

    /// `1994-11-06T08:49:37.000Z`
    private static func timestamp(_ date: Date) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: date)
    }
}
