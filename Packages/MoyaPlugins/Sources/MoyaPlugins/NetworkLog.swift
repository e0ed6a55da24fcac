import Foundation
import MoyaCore

/// The entries that a logger makes of a request or a response.
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

    func items(for request: any RequestType) -> [String] {
        guard let urlRequest = request.request else {
            return [entry("Request", "(invalid request)")]
        }
        let redaction = configuration.redaction
        if options.contains(.formatRequestAscURL) {
            return [entry("Request", urlRequest.cURLDescription(redaction: redaction))]
        }
        var items = [entry("Request", urlRequest.url.map(redaction.redact(url:)) ?? "(no URL)")]
        if options.contains(.requestHeaders) {
            let headers = request.sessionHeaders.merging(urlRequest.allHTTPHeaderFields ?? [:]) {
                $1
            }
            let shown = redaction.redact(headers: headers).sorted { $0.key < $1.key }
            items.append(
                entry(
                    "Request Headers",
                    "[" + shown.map { "\($0): \($1)" }.joined(separator: ", ") + "]"))
        }
        if options.contains(.requestBody), let body = urlRequest.httpBody {
            let shown = redaction.redact(body: body)
            items.append(entry("Request Body", configuration.formatter.requestData(shown)))
        }
        if options.contains(.requestMethod), let method = urlRequest.httpMethod {
            items.append(entry("HTTP Request Method", method))
        }
        return items
    }

    func items(for response: Response, isError: Bool) -> [String] {
        var items: [String] = []
        if let head = response.head {
            items.append(entry("Response", describe(head)))
        } else {
            items.append(entry("Response", "Received empty network response for \(targetName)."))
        }
        if options.contains(isError ? .errorResponseBody : .successResponseBody) {
            let shown = configuration.redaction.redact(body: response.data)
            items.append(entry("Response Body", configuration.formatter.responseData(shown)))
        }
        return items
    }

    func items(for error: MoyaError) -> [String] {
        // A server's own words may be in it, and the URL that failed.
        let text = configuration.redaction.redact(text: error.errorDescription ?? "\(error)")
        return [entry("Error", "Error calling \(targetName) : \(text)")]
    }

    /// A target without its associated values and properties, any of which may be secret. One that
    /// describes itself is taken at its word.
    private static func name(of target: any TargetType) -> String {
        if let multiTarget = target as? MultiTarget { return name(of: multiTarget.target) }
        if let described = target as? any CustomStringConvertible { return described.description }
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        return mirror.children.first?.label ?? "\(target)"
    }

    /// `HTTPURLResponse` describes itself in another way on each platform.
    private func describe(_ head: ResponseHead) -> String {
        let redaction = configuration.redaction
        let fields = head.fields.map {
            "\($0.name): \(redaction.redact($0.value, ofHeader: $0.name))"
        }
        return
            "\(head.statusCode) \(redaction.redact(url: head.url)) [\(fields.joined(separator: ", "))]"
    }
}
