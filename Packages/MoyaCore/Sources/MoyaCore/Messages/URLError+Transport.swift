import Foundation

extension URLError {
    /// Creates an error of a transport.
    ///
    /// - Parameters:
    ///   - message: The `localizedDescription`: the problem and its solution.
    ///   - url: The URL of the request. The error includes its scheme, host, port and path, without
    ///     secrets.
    ///   - cause: The error of the HTTP library (`NSUnderlyingErrorKey`).
    public init(
        _ code: URLError.Code, _ message: String, url: URL?, cause: (any Error)? = nil
    ) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSUnderlyingErrorKey] = cause
        userInfo[NSURLErrorFailingURLErrorKey] = url.flatMap(\.withoutSecrets)
        self.init(code, userInfo: userInfo)
    }

    /// Returns the error `.dataLengthExceedsMaximum` of a response whose body exceeds the `limit`
    /// of its destination in memory.
    public static func bodyTooLarge(limit: Int, url: URL? = nil) -> URLError {
        URLError(
            .dataLengthExceedsMaximum,
            "The response's body is larger than the memory limit of \(limit) bytes. Raise the "
                + "limit, or receive the body as a file or a stream.", url: url)
    }
}

extension URL {
    /// Scheme, host, port and path, without the path's parameters (`/cart;jsessionid=…`,
    /// `/cart%3Bjsessionid=…`) and with other secrets masked. Safe to include in errors.
    @_spi(MoyaInternals)
    public var withoutSecrets: URL? {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        components?.query = nil
        components?.fragment = nil
        if let path = components?.percentEncodedPath {
            let bare = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
                let scan = MessageScan(Array(segment.utf8), .none)
                return scan.text(scan.range.lowerBound..<scan.nextSemicolon(scan.range))
            }
            components?.percentEncodedPath =
                Redaction.default.redact(url: bare.joined(separator: "/"))
        }
        return components?.url
    }
}
