import Foundation

extension TransportRequest {
    /// Checks a request before it is sent, as each transport has to: an `http` or `https` URL with a host, a cache policy
    /// that lets it be sent, and no method, header field or credential that could split the message.
    ///
    /// - Parameter hasCache: Whether the transport has a cache of its own, which may answer `returnCacheDataDontLoad`.
    /// - Throws: `URLError(.unsupportedURL)`, `URLError(.resourceUnavailable)`, ``RequestError``.
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
