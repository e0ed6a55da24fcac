import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A layer that sends every request to one origin, regardless of the targets' base URLs.
struct OriginTransport: Transport {
    let next: any Transport
    let origin: URL

    var sessionHeaders: [String: String] { next.sessionHeaders }

    /// Sends `request` to the replacement origin.
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = request.urlRequest.url else { return try await next.send(request) }
        guard let moved = url.moved(to: origin) else {
            throw URLError(
                .unsupportedURL,
                "replacingOrigin(with:) was called with \(Redaction.default.redact(url: origin)). "
                    + "Pass an http or https URL with a host, such as http://127.0.0.1:8080.",
                url: origin)
        }
        guard moved.origin != url.origin else { return try await next.send(request) }
        var request = request
        request.urlRequest.url = moved
        request.redirectPolicy = request.redirectPolicy.limited { _, next in
            next.url?.origin != url.origin
        }
        var response = try await next.send(request)
        // Callers compare and resolve relative links against the replaced origin. Unchanged if a
        // redirect led away from `origin`.
        let head = response.head
        if let url = head.url.movedBack(from: origin, to: url) {
            response.head = ResponseHead(
                statusCode: head.statusCode, url: url, httpVersion: head.httpVersion,
                fields: head.fields)
        }
        return response
    }
}

extension Transport {
    /// Wraps this transport in a layer that sends every request to the origin of `url`: a mock
    /// server, a staging server or a recording proxy.
    ///
    /// ```swift
    /// let server = try MockServer()
    /// let provider = MoyaProvider<GitHub>(
    ///     transport: CurlTransport().replacingOrigin(with: server.url))
    /// ```
    ///
    /// Requests get the scheme, host and port of `url`, and its path as a prefix of their path.
    /// Path, query, header fields and body stay, including any secrets. The URL in the response's
    /// head is moved back to the replaced origin, so that relative links resolve against it. Links
    /// in header fields and bodies stay as the server wrote them. A redirect to the replaced origin
    /// is not followed: the redirect response is the result. Make this the innermost layer, so that
    /// signatures, limits and caches use the original origin.
    ///
    /// - Parameter url: An http or https URL. With another URL each request fails with
    ///   `URLError(.unsupportedURL)`.
    public func replacingOrigin(with url: URL) -> some Transport {
        OriginTransport(next: self, origin: url)
    }
}

extension URL {
    /// Moves this URL to `origin`. Returns `nil` if `origin` is not an http or https URL with a
    /// host.
    fileprivate func moved(to origin: URL) -> URL? {
        guard let base = URLComponents(url: origin, resolvingAgainstBaseURL: true),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true),
            let scheme = base.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = base.percentEncodedHost, !host.isEmpty
        else { return nil }
        components.scheme = scheme
        components.percentEncodedHost = host
        components.port = base.port
        components.percentEncodedPath = origin.pathPrefix + components.percentEncodedPath
        return components.url
    }

    /// Moves this URL from `origin` back to the origin of `asked`. Returns `nil` if this URL is not
    /// below `origin`.
    fileprivate func movedBack(from origin: URL, to asked: URL) -> URL? {
        guard self.origin == origin.origin,
            let base = URLComponents(url: asked, resolvingAgainstBaseURL: true),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return nil }
        let path = components.percentEncodedPath
        guard (path + "/").hasPrefix(origin.pathPrefix + "/") else { return nil }
        components.scheme = base.scheme
        components.percentEncodedHost = base.percentEncodedHost
        components.port = base.port
        components.percentEncodedPath = String(path.dropFirst(origin.pathPrefix.count))
        return components.url
    }

    /// The percent-encoded path without its trailing slash.
    private var pathPrefix: String {
        let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
