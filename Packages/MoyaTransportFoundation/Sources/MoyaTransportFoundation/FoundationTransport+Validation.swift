import Foundation
import MoyaCore

extension FoundationTransport.Configuration {
    /// Checks the options that are invalid on every platform.
    func validate() throws(FoundationTransport.ConfigurationError) {
        try FoundationTransport.validate(additionalHeaders)
        if case .http(let host, let port) = proxy {
            guard !host.isEmpty, (1...65_535).contains(port) else {
                throw .init(
                    description:
                        "The proxy \(host):\(port) needs a host and a port from 1 to 65535.")
            }
        }
    }
}

extension TransportRequest {
    /// Checks for requests that are invalid, or that would make URLSession end the process.
    ///
    /// - Throws: Errors of `validate`; `URLError(.badURL)`, `URLError(.unsupportedURL)`.
    func validateForSession(hasCache: Bool) throws {
        let method = urlRequest.httpMethod ?? "GET"
        guard method.utf8.count <= 1024 else {
            // On Linux, URLSession ends the process on a string of more than 8 MB.
            throw URLError(.badURL, "The method is too long.", url: urlRequest.url)
        }
        guard method != "CONNECT" else {
            throw URLError(
                .unsupportedURL,
                "CONNECT requests cannot be sent: URLSession opens tunnels through proxies itself.",
                url: urlRequest.url)
        }
        guard method != "HEAD" || body.isEmpty else {
            throw URLError(.badURL, "A HEAD request cannot have a body.", url: urlRequest.url)
        }
        if case .stream(let stream) = body, stream.trailers != nil {
            throw URLError(
                .unsupportedURL, "URLSession cannot send trailer fields. Use CurlTransport.",
                url: urlRequest.url)
        }
        try validate(hasCache: hasCache)
    }
}

extension RequestBody {
    fileprivate var isEmpty: Bool {
        switch self {
        case .none: true
        case .data(let data): data.isEmpty
        case .file, .stream: false
        }
    }
}

extension FoundationTransport {
    /// - Throws: ``ConfigurationError`` for a field that could split a message. The error does not
    ///   contain the field's value.
    static func validate(_ headers: [String: String]) throws(ConfigurationError) {
        for (name, value) in headers {
            do {
                var request = URLRequest(url: URL(fileURLWithPath: "/"))
                request.url = URL(string: "http://localhost/")
                request.setValue(value, forHTTPHeaderField: name)
                // Foundation silently drops some names.
                guard request.value(forHTTPHeaderField: name) == value else {
                    throw URLError(.badURL)
                }
                try TransportRequest(request).validate()
            } catch {
                throw .init(
                    description: "additionalHeaders contains the field \(name.debugDescription) "
                        + "with an invalid name or value (RFC 9110, section 5). Remove spaces from "
                        + "the name, and control characters from both.")
            }
        }
    }
}
