import Foundation
@_spi(MoyaInternals) import MoyaCore

/// A layer that sends every request to one origin, whatever the base URLs of the targets are.
///
/// ```swift
/// let server = try MockServer()
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport().replacingOrigin(with: server.url))
/// ```
public struct OriginTransport: Transport {
    let next: any Transport
    let origin: URL

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = request.urlRequest.url else { return try await next.send(request) }
        guard let moved = url.moved(to: origin) else {
            throw URLError(
                .unsupportedURL,
                "replacingOrigin(with:) takes an http or https URL with a host, such as "
                    + "http://127.0.0.1:8080.", url: origin)
        }
        guard !moved.hasSameOrigin(as: url) else { return try await next.send(request) }
        var request = request
        request.urlRequest.url = moved
        request.redirectPolicy = request.redirectPolicy.limited { _, next in
            !(next.url?.hasSameOrigin(as: url) ?? false)
        }
        var response = try await next.send(request)
        response.head = response.head.movedBack(from: origin, to: url)
        return response
    }
}

extension ResponseHead {
    /// This head with a URL of the origin that was replaced: what it is compared with and what relative links are resolved
    /// against. As it is where a redirect has led away from `origin`.
    fileprivate func movedBack(from origin: URL, to asked: URL) -> ResponseHead {
        guard let url = url.movedBack(from: origin, to: asked) else { return self }
        return ResponseHead(
            statusCode: statusCode, url: url, httpVersion: httpVersion, fields: fields)
    }
}

extension Transport {
    /// This transport, sending every request to the origin of `url`: a mock server, staging, a proxy that records.
    ///
    /// Scheme, host and port are those of `url`, and its path comes before that of the request. Path, query, header fields
    /// and body stay, secrets among them. The URL of a response's head is one of the origin that was replaced, so that relative
    /// links lead there again; links in header fields and bodies stay as the server wrote them. A redirect back to the origin
    /// that was replaced is not followed: the response that redirects is the result. Make it the last layer, so that
    /// signatures, limits and caches are those of the origin that is asked.
    ///
    /// - Parameter url: An http or https URL. Another one fails each request with `URLError(.unsupportedURL)`.
    public func replacingOrigin(with url: URL) -> OriginTransport {
        OriginTransport(next: self, origin: url)
    }
}

extension URL {
    /// `nil` where `origin` is none.
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

    /// `nil` where this URL is not below `origin`.
    fileprivate func movedBack(from origin: URL, to asked: URL) -> URL? {
        guard hasSameOrigin(as: origin),
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

    /// The path, percent-encoded, without a slash at its end.
    private var pathPrefix: String {
        let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
