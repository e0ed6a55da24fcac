import Foundation

extension TransportRequest {
    /// Validates a request before it is sent. Every transport calls it. The URL has to be an `http`
    /// or `https` URL with a host and a valid port, the cache policy has to permit a network
    /// request, and the method, header fields and credential must not contain characters that
    /// could split the message. The deadline must not have passed.
    ///
    /// - Parameter hasCache: Whether the transport has a cache, which may respond to
    ///   `returnCacheDataDontLoad`.
    /// - Throws: `URLError(.unsupportedURL)`, `URLError(.badURL)`,
    ///   `URLError(.resourceUnavailable)`, `URLError(.timedOut)`, ``RequestError``.
    public func validate(hasCache: Bool = false) throws {
        let urlRequest = urlRequest
        guard let url = urlRequest.url, let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = url.host, !host.isEmpty
        else {
            throw URLError(
                .unsupportedURL,
                "\(Self.shown(urlRequest.url)) is not an http or https URL with a host.",
                url: urlRequest.url)
        }
        // Some HTTP libraries convert the port to 16 bits and remove brackets from the host, and
        // end the process if that is impossible or leaves nothing.
        guard url.port.map({ (0...0xFFFF).contains($0) }) ?? true,
            host.utf8.contains(where: { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })
        else {
            throw URLError(
                .badURL, "\(Self.shown(url)) has an invalid host or port.", url: url)
        }
        guard hasCache || urlRequest.cachePolicy != .returnCacheDataDontLoad else {
            throw URLError(
                .resourceUnavailable,
                "The cache policy returnCacheDataDontLoad needs a cache, and the transport has "
                    + "none. Add .caching(in:), or use another cache policy.", url: url)
        }
        try RequestValidation.validate(urlRequest)
        if let credential { try RequestValidation.validate(credential) }
        if let deadline, deadline.hasPassed { throw deadline.error(url: url) }
    }

    /// The URL in quotes, without its query and other parts that may be secret.
    private static func shown(_ url: URL?) -> String {
        guard let url = url?.withoutSecrets else { return "The request's URL" }
        return "\"\(Redaction.default.redact(url: url))\""
    }
}
