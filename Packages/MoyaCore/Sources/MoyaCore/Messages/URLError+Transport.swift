import Foundation

extension URLError {
    /// An error of a transport, with its cause.
    ///
    /// - Parameters:
    ///   - message: The `localizedDescription`: what was wrong and what to do.
    ///   - url: The URL of the request. The error keeps scheme, host, port and path, and nothing secret.
    ///   - cause: The error of the library below (`NSUnderlyingErrorKey`).
    public init(
        _ code: URLError.Code, _ message: String, url: URL?, cause: (any Error)? = nil
    ) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSUnderlyingErrorKey] = cause
        userInfo[NSURLErrorFailingURLErrorKey] = url.flatMap(\.withoutSecrets)
        self.init(code, userInfo: userInfo)
    }

    /// The error for a response whose body is larger than the `limit` bytes of its destination in memory:
    /// `.dataLengthExceedsMaximum`.
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
