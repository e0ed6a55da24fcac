import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// Creates archive entries from requests and outcomes, with secrets masked.
struct HARWriter {
    let options: HAROptions

    func entry(
        _ request: TransportRequest, _ outcome: Result<TransportResponse, any Error>,
        started: Date, duration: TimeInterval
    ) -> HAREntry {
        let response = try? outcome.get()
        let metrics = response?.metrics ?? TransportMetrics()
        return HAREntry(
            startedDateTime: Self.timestamp(started), time: duration * 1000,
            request: entry(request, version: response?.head.httpVersion ?? "HTTP/1.1"),
            response: entry(outcome), timings: HAREntry.Timings(metrics, duration: duration),
            serverIPAddress: metrics.remoteAddress, comment: request.context.name)
    }

    private func entry(_ request: TransportRequest, version: String) -> HAREntry.Request {
        let shown = request.urlRequest.url.map(options.redaction.redact(url:)) ?? ""
        let body: Data? = if case .data(let data) = request.body { data } else { nil }
        let type = request.value(for: "Content-Type") ?? ""
        let fields = (request.urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            .map { HeaderField(name: $0.key, value: $0.value) }
        // Redaction cannot find secrets in a compressed body, so that body is omitted.
        let isHidden = options.redaction != .none && HeaderField.areCoded(fields)
        return HAREntry.Request(
            method: request.method, url: shown, httpVersion: version,
            headers: pairs(fields),
            queryString: (URLComponents(string: shown)?.queryItems ?? []).map {
                .init(name: $0.name, value: $0.value ?? "")
            },
            postData: text(of: isHidden ? nil : body, type: type).map {
                .init(mimeType: type, text: $0.text)
            },
            bodySize: request.body.knownSize ?? -1)
    }

    private func entry(_ outcome: Result<TransportResponse, any Error>) -> HAREntry.Response {
        switch outcome {
        case .success(let response):
            let head = response.head
            let type = head.values(for: "Content-Type").first ?? ""
            let data: Data? = if case .data(let data) = response.body { data } else { nil }
            let shown = text(of: data, type: type)
            return HAREntry.Response(
                status: head.statusCode,
                statusText: HTTPURLResponse.localizedString(forStatusCode: head.statusCode),
                httpVersion: head.httpVersion, headers: pairs(head.fields),
                content: .init(
                    size: size(data ?? Data(), response.metrics),
                    mimeType: type, text: shown?.text, encoding: shown?.encoding),
                redirectURL: head.values(for: "Location").first
                    .map { options.redaction.redact($0, ofHeader: "Location") } ?? "",
                bodySize: response.metrics.bytesReceived)
        case .failure(let error):
            // The error's message is omitted, because it may contain a secret.
            let code = error as NSError
            return HAREntry.Response(
                status: 0, statusText: "", httpVersion: "", headers: [],
                content: .init(size: 0, mimeType: ""), redirectURL: "", bodySize: -1,
                _error: "\(code.domain) \(code.code)")
        }
    }

    /// Returns the size of a body in bytes. For a body in a file or a stream only the received
    /// bytes are known.
    private func size(_ data: Data, _ metrics: TransportMetrics) -> Int64 {
        data.isEmpty ? max(0, metrics.bytesReceived) : Int64(data.count)
    }

    private func pairs(_ fields: [HeaderField]) -> [HAREntry.Pair] {
        fields.map {
            .init(name: $0.name, value: options.redaction.redact($0.value, ofHeader: $0.name))
        }
    }

    /// Returns a body as text, or as Base64 if it is not UTF-8. `nil` if it is not recorded.
    private func text(of data: Data?, type: String) -> (text: String, encoding: String?)? {
        guard let data, !data.isEmpty, data.count <= options.maximumBodySize else { return nil }
        let masked = options.maskBody(data, type)
        if let text = String(data: masked, encoding: .utf8) { return (text, nil) }
        return (masked.base64EncodedString(), "base64")
    }

    /// Formats a date like `1994-11-06T08:49:37.000Z`.
    private static func timestamp(_ date: Date) -> String {
        let time = CivilTime(date)
        let seconds = date.timeIntervalSince1970
        let milliseconds = max(0, ((seconds - seconds.rounded(.down)) * 1000).whole)
        let padded = String(String(1000 + min(milliseconds, 999)).dropFirst())
        return "\(time.date(separator: "-"))T\(time.clock(separator: ":")).\(padded)Z"
    }
}
