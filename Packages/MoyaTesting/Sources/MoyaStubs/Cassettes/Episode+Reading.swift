import Foundation
import MoyaCore

extension Episode {
    /// Reads an entry of an HTTP Archive. Tolerates missing and additional fields, because browsers
    /// differ.
    init(_ entry: JSONValue, mask: CassetteMask) {
        let request = entry.har("request")
        self.request = mask.request(
            method: HTTPMethod(rawValue: request.har("method").harText ?? "GET"),
            url: request.har("url").harText ?? "", fields: Self.fields(request),
            body: Self.body(of: request.har("postData")),
            type: request.har("postData").har("mimeType").harText ?? "")
        outcome = Self.outcome(entry.har("response"))
    }

    private static func outcome(_ response: JSONValue) -> Outcome {
        let status = response.har("status").harNumber.flatMap { Int(exactly: $0) } ?? 0
        guard (100..<1000).contains(status) else {
            return .failure(errorCode(response.har("_error").harText ?? ""))
        }
        let content = response.har("content")
        guard let body = bytes(content.har("text"), encoding: content.har("encoding")) else {
            return .unplayable("its body is not Base64.")
        }
        if content.har("text") == .null, let size = content.har("size").harNumber, size > 0 {
            return .unplayable(
                "the archive has none of its \(Int(clamping: size)) bytes of body. Export it with "
                    + "content.")
        }
        let fields = Self.fields(response)
        let version = response.har("httpVersion").harText ?? "HTTP/1.1"
        // URL of the response, if it differs from the URL of the request.
        let url = response.har("_url").harText.flatMap(URL.init(string:))
        let makeHead = { @Sendable (requested: URL) in
            ResponseHead(
                statusCode: status, url: url ?? requested, httpVersion: version, fields: fields)
        }
        return .response(status: status, Stub(.response(makeHead, .data(body))))
    }

    private static func fields(_ message: JSONValue) -> [HeaderField] {
        (message.har("headers").harList ?? []).flatMap { field -> [HeaderField] in
            guard let name = field.har("name").harText, !name.hasPrefix(":") else {
                // HTTP/2 pseudo-header fields (RFC 9113, section 8.3) are not header fields.
                return []
            }
            // Chrome joins the values of fields with the same name by line feeds.
            return (field.har("value").harText ?? "").split(
                separator: "\n", omittingEmptySubsequences: false
            )
            .map { HeaderField(name: name, value: $0.trimmingCharacters(in: .whitespaces)) }
        }
    }

    private static func body(of postData: JSONValue) -> Data? {
        if let body = bytes(postData.har("text"), encoding: postData.har("_encoding")),
            postData.har("text") != .null
        {
            return body
        }
        guard let parameters = postData.har("params").harList, !parameters.isEmpty else {
            return nil
        }
        var form = URLComponents()
        form.queryItems = parameters.map {
            URLQueryItem(name: $0.har("name").harText ?? "", value: $0.har("value").harText)
        }
        return form.percentEncodedQuery.map { Data($0.utf8) }
    }

    /// Returns `nil` for invalid Base64.
    private static func bytes(_ text: JSONValue, encoding: JSONValue) -> Data? {
        let text = text.harText ?? ""
        return encoding.harText?.lowercased() == "base64"
            ? Data(base64Encoded: text, options: .ignoreUnknownCharacters) : Data(text.utf8)
    }

    /// Parses `NSURLErrorDomain -1001`, the format of this library's archives. Any other text
    /// becomes `networkConnectionLost`.
    private static func errorCode(_ text: String) -> URLError.Code {
        let parts = text.split(separator: " ")
        // The initializer is failable only on some platforms: the explicit type compiles on all of
        // them.
        let code: URLError.Code? =
            parts.count == 2 && parts[0] == NSURLErrorDomain
            ? Int(parts[1]).flatMap { URLError.Code(rawValue: $0) } : nil
        return code ?? .networkConnectionLost
    }
}

extension Int {
    fileprivate init(clamping number: Double) {
        self = number >= 0 && number < 1e15 ? Int(number) : 0
    }
}
