import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportRequest {
    /// Sends this request with `exchange` and follows redirects as ``redirectPolicy`` says.
    ///
    /// For authors of transports: let `exchange` carry a single request and response, and every
    /// transport treats redirects, credentials and the time that is left alike.
    ///
    /// - Throws: What `exchange` throws; `URLError(.httpTooManyRedirects)`;
    ///   `URLError(.unsupportedURL)` for a redirect to anything but `http` and `https`;
    ///   `URLError(.appTransportSecurityRequiresSecureConnection)` for one from `https` to `http`.
    public func followingRedirects(
        _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let response = try await exchange(self)
        guard Redirect.isRedirect(response.head.statusCode) else { return response }
        return try await follow(response, exchange)
    }

    private func follow(
        _ first: TransportResponse, _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var request = self
        var response = first
        var hops = 0
        while let next = try Redirect.next(after: response.head, for: request, hops: hops) {
            // The body of a redirect is of no use, and its file stands in the next one's way.
            if case .file(let url) = response.body { try FileManager.default.removeItem(at: url) }
            hops += 1
            request = next
            let earlier = response.metrics
            response = try await exchange(request)
            response.metrics.add(redirectedFrom: earlier)
            response.metrics.redirectCount = hops
        }
        return response
    }
}

extension TransportMetrics {
    /// Counts what an earlier hop took. The steps of the last hop start after it.
    fileprivate mutating func add(redirectedFrom earlier: TransportMetrics) {
        let offset = earlier.total ?? 0
        domainLookup = domainLookup.map { $0 + offset }
        connect = connect.map { $0 + offset }
        secureConnect = secureConnect.map { $0 + offset }
        firstByte = firstByte.map { $0 + offset }
        total = total.map { $0 + offset }
        bytesSent += earlier.bytesSent
        bytesReceived += earlier.bytesReceived
    }
}

/// The rules of RFC 9110, section 15.4, without any I/O.
enum Redirect {
    static func isRedirect(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The request that follows `head`, or `nil` where the answer is final.
    static func next(
        after head: ResponseHead, for request: TransportRequest, hops: Int
    ) throws -> TransportRequest? {
        guard isRedirect(head.statusCode), let location = head.values(for: "Location").first,
            let current = request.urlRequest.url,
            let proposedURL = URL(string: location, relativeTo: current)?.absoluteURL
        else { return nil }
        var next = request
        next.urlRequest.url = inheritingFragment(of: current, proposedURL)
        rewriteMethod(of: &next, after: head.statusCode)
        dropCredentials(of: &next, from: current, to: proposedURL)

        if let handler = request.redirectPolicy.handler {
            guard let chosen = handler(head, next.urlRequest) else { return nil }
            next.urlRequest = chosen
            next.urlRequest.httpBody = nil
            if let body = chosen.httpBody { next.body = .data(body) }
            // A handler may name another host than the server did.
            if let chosenURL = chosen.url { next.dropCredential(from: current, to: chosenURL) }
        } else if current.scheme?.lowercased() == "https",
            proposedURL.scheme?.lowercased() == "http"
        {
            throw refusal(.appTransportSecurityRequiresSecureConnection, proposedURL)
        }
        guard let scheme = next.urlRequest.url?.scheme?.lowercased(),
            ["http", "https"].contains(scheme)
        else { throw refusal(.unsupportedURL, next.urlRequest.url ?? proposedURL) }
        guard hops < request.redirectPolicy.limit else {
            throw refusal(.httpTooManyRedirects, proposedURL)
        }
        return next
    }

    /// RFC 9110, section 10.2.2: a redirect without a fragment keeps the one there was.
    private static func inheritingFragment(of current: URL, _ url: URL) -> URL {
        guard url.fragment == nil, let fragment = current.fragment,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        components.fragment = fragment
        return components.url ?? url
    }

    private static func rewriteMethod(of request: inout TransportRequest, after statusCode: Int) {
        let method = request.urlRequest.httpMethod ?? "GET"
        let becomesGet =
            switch statusCode {
            case 303: method != "HEAD"
            case 301, 302: method == "POST"
            default: false
            }
        guard becomesGet else { return }
        request.urlRequest.httpMethod = "GET"
        request.body = .none
        for name in request.urlRequest.allHTTPHeaderFields?.keys.map({ $0 }) ?? [] {
            let lower = name.lowercased()
            if lower.hasPrefix("content-") || lower == "transfer-encoding" || lower == "expect" {
                request.urlRequest.setValue(nil, forHTTPHeaderField: name)
            }
        }
    }

    private static func dropCredentials(
        of request: inout TransportRequest, from old: URL, to new: URL
    ) {
        guard !old.hasSameOrigin(as: new) else { return }
        request.credential = nil
        for name in ["Authorization", "Proxy-Authorization", "Cookie", "Cookie2", "Host", "Origin"]
        {
            request.urlRequest.setValue(nil, forHTTPHeaderField: name)
        }
    }

    private static func refusal(_ code: URLError.Code, _ url: URL) -> URLError {
        let message =
            switch code {
            case .unsupportedURL:
                "The server redirected to a URL that is neither http nor https."
            case .httpTooManyRedirects:
                "The server redirected more often than the request's redirect policy allows."
            default:
                "The server redirected from https to http. Allow it with RedirectPolicy.modify."
            }
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSURLErrorFailingURLErrorKey] = URL(string: Redaction.default.redact(url: url))
        return URLError(code, userInfo: userInfo)
    }
}

extension TransportRequest {
    fileprivate mutating func dropCredential(from old: URL, to new: URL) {
        if !old.hasSameOrigin(as: new) { credential = nil }
    }
}

extension URL {
    /// Whether both URLs have the same scheme, host and port (RFC 9110, section 4.3.1).
    func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased()
            && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort
    }

    private var effectivePort: Int? {
        port ?? (scheme?.lowercased() == "https" ? 443 : scheme?.lowercased() == "http" ? 80 : nil)
    }
}
