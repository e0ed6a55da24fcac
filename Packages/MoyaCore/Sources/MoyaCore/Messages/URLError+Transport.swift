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
