import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The entries that a logger makes of a request or a response.
struct NetworkLog {
    let configuration: NetworkLoggerPlugin.Configuration
    let target: any TargetType

    private var options: NetworkLoggerPlugin.Configuration.LogOptions { configuration.logOptions }

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
            items.append(entry("Request Body", configuration.formatter.requestData(body)))
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
            items.append(entry("Response", "Received empty network response for \(target)."))
        }
        if options.contains(isError ? .errorResponseBody : .successResponseBody) {
            items.append(
                entry("Response Body", configuration.formatter.responseData(response.data)))
        }
        return items
    }

    func items(for error: MoyaError) -> [String] {
        [entry("Error", "Error calling \(target) : \(error.errorDescription ?? "\(error)")")]
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
