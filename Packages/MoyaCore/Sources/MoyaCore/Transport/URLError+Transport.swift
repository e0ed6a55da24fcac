import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError {
    /// The error an exchange with `url` fails with, for transports. Holds no secret of the URL.
    @_spi(MoyaInternals)
    public init(
        _ code: URLError.Code, _ message: String, url: URL?, cause: (any Error)? = nil
    ) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSUnderlyingErrorKey] = cause
        userInfo[NSURLErrorFailingURLErrorKey] = url.flatMap(\.withoutSecrets)
        self.init(code, userInfo: userInfo)
    }

    /// The error for a response's body that is larger than somebody keeps in memory.
    @_spi(MoyaInternals)
    public static func bodyTooLarge(limit: Int, url: URL? = nil) -> URLError {
        URLError(
            .dataLengthExceedsMaximum,
            "The response's body is larger than the \(limit) bytes that may be kept in memory.",
            url: url)
    }
}

extension URL {
    /// Scheme, host, port and path, without the path's parameters (`/cart;jsessionid=…`, `/cart%3Bjsessionid=…`): what an
    /// error may show.
    @_spi(MoyaInternals)
    public var withoutSecrets: URL? {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        components?.query = nil
        components?.fragment = nil
        if let path = components?.percentEncodedPath {
            components?.percentEncodedPath = path.split(
                separator: "/", omittingEmptySubsequences: false
            ).map { $0.splitPathParameters()[0].text }.joined(separator: "/")
        }
        return components?.url
    }
}

extension TransportRequest {
    /// Checks what no transport may send: a URL that is not one of an http or https server, what only a
    /// cache may answer, a method, header field or credential that could split the message.
    ///
    /// - Parameter hasCache: Whether the transport has a cache of its own, which answers what only a cache may.
    /// - Throws: `URLError(.unsupportedURL)`, `URLError(.resourceUnavailable)`, ``RequestError``.
    @_spi(MoyaInternals)
    public func validate(hasCache: Bool = false) throws {
        let urlRequest = urlRequest
        guard let url = urlRequest.url, let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host?.isEmpty == false
        else {
            throw URLError(
                .unsupportedURL, "The URL is not one of an http or https server.",
                url: urlRequest.url)
        }
        guard hasCache || urlRequest.cachePolicy != .returnCacheDataDontLoad else {
            throw URLError(
                .resourceUnavailable,
                "The cache policy returnCacheDataDontLoad needs a layer that caches, and none has "
                    + "answered.", url: url)
        }
        try RequestValidation.validate(urlRequest)
        if let credential { try RequestValidation.validate(credential) }
    }
}
