import Foundation
import MoyaCore
import MoyaInternals

/// Creates the log entries of a request or a response.
struct NetworkLog {
    let configuration: NetworkLoggerPlugin.Configuration
    let target: any TargetType

    private var options: NetworkLoggerPlugin.Configuration.LogOptions { configuration.logOptions }

    private var targetName: String {
        configuration.redaction == .none ? "\(target)" : Self.name(of: target)
    }

    private func entry(_ identifier: String, _ message: String) -> String {
        configuration.formatter.entry(identifier, message, target)
    }

    /// Passes the entries to `output`. With `formatRequestAscURL` that happens when the request has
    /// created its `curl` command, which may be later.
    func log(_ request: any RequestType, to output: @escaping @Sendable ([String]) -> Void) {
        // Why a resumable transfer starts again.
        let note = [RequestNote.current.map { entry("Request Note", $0) }].compactMap { $0 }
        guard options.contains(.formatRequestAscURL) else {
            return output(items(for: request) + note)
        }
        request.cURLDescription(redaction: configuration.redaction) { command in
            output([entry("Request", command)] + note)
        }
    }

    private func items(for request: any RequestType) -> [String] {
        guard let urlRequest = request.request else {
            return [entry("Request", "(invalid request)")]
        }
        let redaction = configuration.redaction
        var items = [entry("Request", urlRequest.url.map(redaction.redact(url:)) ?? "(no URL)")]
        if options.contains(.requestHeaders) {
            let own = urlRequest.allHTTPHeaderFields ?? [:]
            let names = Set(own.keys.map { $0.lowercased() })
            let headers = request.sessionHeaders.filter { !names.contains($0.key.lowercased()) }
                .merging(own) { $1 }
            let shown = redaction.redact(headers: headers).sorted { $0.key < $1.key }
            let fields = shown.map { "\($0.debugDescription): \($1.debugDescription)" }
            let list = fields.isEmpty ? ":" : fields.joined(separator: ", ")
            items.append(entry("Request Headers", "[\(list)]"))
        }
        if options.contains(.requestBody) {
            if let stream = urlRequest.httpBodyStream {
                items.append(entry("Request Body Stream", "\(stream)"))
            }
            if let body = urlRequest.httpBody {
                let shown = configuration.formatter.text(ofRequest: body, redaction)
                items.append(entry("Request Body", shown))
            }
        }
        if options.contains(.requestMethod), let method = urlRequest.httpMethod {
            items.append(entry("HTTP Request Method", method))
        }
        return items
    }

    func items(for response: Response, isError: Bool) -> [String] {
        let head = response.head.map { describe($0) }
        var items = [
            entry("Response", head ?? "Received empty network response for \(targetName).")
        ]
        if options.contains(isError ? .errorResponseBody : .successResponseBody) {
            let redaction = configuration.redaction
            let shown = configuration.formatter.text(ofResponse: response.data, redaction)
            items.append(entry("Response Body", shown))
        }
        return items
    }

    /// Returns the entries of the error's response, and of the error unless it is a refused status,
    /// which the response shows.
    func items(for error: MoyaError) -> [String] {
        let response = error.response.map { items(for: $0, isError: true) } ?? []
        switch error {
        case .statusCode, .underlying(MoyaError.statusCode, _): return response
        default:
            return response + [entry("Error", "Error calling \(targetName) : \(describe(error))")]
        }
    }

    /// Describes the error's case and its cause. A printed error contains no secrets, but its full
    /// cause may.
    private func describe(_ error: MoyaError) -> String {
        guard configuration.redaction == .none else {
            let text = configuration.redaction.redact(text: "\(error)")
            let shown = text.hasPrefix("MoyaError.") ? String(text.dropFirst(10)) : text
            if case .underlying(_, nil) = error { return shown.dropLast() + ", nil)" }
            return shown
        }
        return switch error {
        case .underlying(let cause, let response):
            "underlying(\(String(reflecting: cause)), \(response.map(\.description) ?? "nil"))"
        case .encodableMapping(let cause): "encodableMapping(\(String(reflecting: cause)))"
        case .parameterEncoding(let cause): "parameterEncoding(\(String(reflecting: cause)))"
        case .requestMapping(let url): "requestMapping(\(url.debugDescription))"
        default: "\(error)"
        }
    }

    /// The name of a target without its associated values and properties, because any of them may
    /// be secret. A `CustomStringConvertible` target is logged with its description.
    private static func name(of target: any TargetType) -> String {
        let context = RequestContext(target: target)
        if let described = context.target as? any CustomStringConvertible {
            return described.description
        }
        return context.name ?? ""
    }

    /// Describes a head like `HTTPURLResponse` on Apple platforms, on one line and with secrets
    /// masked. Its actual description differs between platforms.
    private func describe(_ head: ResponseHead) -> String {
        let redaction = configuration.redaction
        let fields = head.fields.map {
            let value = redaction.redact($0.value, ofHeader: $0.name)
            return "\($0.name.debugDescription) = \(value.debugDescription); "
        }
        return "{ URL: \(redaction.redact(url: head.url)) } "
            + "{ Status Code: \(head.statusCode), Headers { \(fields.joined())} }"
    }
}
