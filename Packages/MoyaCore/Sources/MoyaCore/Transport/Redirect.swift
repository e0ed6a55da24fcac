import Foundation
import MoyaInternals

/// Redirects (RFC 9110, section 15.4).
public enum Redirect {
    /// Returns whether `statusCode` is a redirect that a client may follow: 301, 302, 303, 307 or
    /// 308.
    public static func isRedirect(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Returns the request that follows the response `head`, or `nil` if the response is final.
    static func next(
        after head: ResponseHead, for request: TransportRequest, hops: Int
    ) throws -> TransportRequest? {
        guard isRedirect(head.statusCode), let location = head.values(for: "Location").first,
            !location.isEmpty, let current = request.urlRequest.url,
            let proposedURL = URLReference.resolve(location, relativeTo: current)
        else { return nil }
        var next = request
        next.urlRequest.url = inheritingFragment(of: current, proposedURL.withoutUserInfo)
        rewriteMethod(of: &next, after: head.statusCode)
        keepFields(of: &next, from: current, to: proposedURL)

        let proposed = next.urlRequest
        if let handler = request.redirectPolicy.handler {
            guard let chosen = handler(head, proposed) else { return nil }
            take(chosen, for: &next, from: current)
        }
        guard let url = next.urlRequest.url, let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme)
        else { throw refusal(.unsupportedURL, next.urlRequest.url ?? proposedURL) }
        // An `https` request never follows a redirect to `http` unchanged. A handler that chooses
        // another URL may, because that is its explicit decision.
        guard scheme == "https" || current.scheme?.lowercased() != "https" || url != proposed.url
        else { throw refusal(.appTransportSecurityRequiresSecureConnection, proposedURL) }
        guard hops < request.redirectPolicy.limit else {
            throw refusal(.httpTooManyRedirects, proposedURL)
        }
        return next
    }

    /// Returns `url` with the fragment of `current` if `url` has none (RFC 9110, section 10.2.2).
    private static func inheritingFragment(of current: URL, _ url: URL) -> URL {
        guard url.fragment == nil,
            let fragment = URLComponents(url: current, resolvingAgainstBaseURL: true)?
                .percentEncodedFragment,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        components.percentEncodedFragment = fragment
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
            if lower.hasPrefix("content-") || bodyFields.contains(lower) {
                request.urlRequest.setValue(nil, forHTTPHeaderField: name)
            }
        }
    }

    /// Header fields that describe a body and do not begin with `Content-`. Fields such as
    /// `Want-Content-Digest` concern the response (RFC 9530, section 4), so they are not removed.
    private static let bodyFields: Set = [
        "digest", "expect", "last-modified", "repr-digest", "trailer", "transfer-encoding",
    ]

    /// Applies the request that a handler returned instead of the proposed request in `next`.
    private static func take(
        _ chosen: URLRequest, for next: inout TransportRequest, from current: URL
    ) {
        let proposed = next.urlRequest.allHTTPHeaderFields ?? [:]
        next.urlRequest = chosen
        if let headers = chosen.allHTTPHeaderFields.flatMap(FieldNames.unique) {
            next.urlRequest.allHTTPHeaderFields = headers
        }
        next.urlRequest.httpBody = nil
        if let body = chosen.httpBody { next.body = .data(body) }
        // A handler may choose another host than the server did. Fields that the handler set are
        // meant for that host.
        guard let url = chosen.url else { return }
        keepFields(of: &next, from: current, to: url) { name, value in
            proposed[name] != value
        }
    }

    /// Removes, for a redirect to another origin, the credential and every header field that is
    /// neither harmless nor permitted by the policy.
    ///
    /// - Parameter isOwn: Returns `true` for fields that a handler set. They are kept.
    private static func keepFields(
        of request: inout TransportRequest, from old: URL, to new: URL,
        andThose isOwn: (_ name: String, _ value: String) -> Bool = { _, _ in false }
    ) {
        guard !old.hasSameOrigin(as: new) else { return }
        request.credential = nil
        let policy = request.redirectPolicy
        var hasBody = true
        if case .none = request.body { hasBody = false }
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:]
        where !isOwn(name, value) && !policy.allowsCrossOrigin(name, hasBody: hasBody) {
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
                "The server redirected from https to http. A handler of RedirectPolicy.modify may "
                    + "name another URL."
            }
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSURLErrorFailingURLErrorKey] = URL(string: Redaction.default.redact(url: url))
        return URLError(code, userInfo: userInfo)
    }
}

extension URL {
    /// Returns whether both URLs have the same scheme, host and port (RFC 9110, section 4.3.1).
    func hasSameOrigin(as other: URL) -> Bool {
        origin == other.origin
    }

    /// Scheme, host and port as text, equal for URLs of the same origin.
    @_spi(MoyaInternals)
    public var origin: String {
        plainOrigin
            ?? "\(scheme?.lowercased() ?? "")://\(host?.lowercased() ?? ""):\(effectivePort ?? 0)"
    }

    /// The origin of a URL whose text begins with it. `nil` if the parts have to be parsed.
    ///
    /// Layers need the origin of each request, and parsing its parts costs ten times as much.
    private var plainOrigin: String? {
        var text = absoluteString
        return text.withUTF8 { bytes in
            let schemes = ["https://", "http://"]
            guard let scheme = schemes.first(where: { bytes.starts(with: $0.utf8) }) else {
                return nil
            }
            let rest = bytes[scheme.utf8.count...]
            let dash = UInt8(ascii: "-")
            let host = rest.prefix {
                $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") || $0 == dash
            }
            // `xn--` begins an encoded name.
            guard !host.isEmpty,
                !zip(host, host.dropFirst()).contains(where: { $0 == (dash, dash) })
            else { return nil }
            var end = host.endIndex
            var hasPort = false
            if end < bytes.count, bytes[end] == UInt8(ascii: ":") {
                let port = bytes[(end + 1)...].prefix { $0 &- 0x30 < 10 }
                // A padded number is written in another way, and not every larger one is a port.
                guard let first = port.first, first > UInt8(ascii: "0"),
                    port.count < 5 || port.count == 5 && first < UInt8(ascii: "6")
                else { return nil }
                end = port.endIndex
                hasPort = true
            }
            let marks = "/?#".utf8
            guard end == bytes.count || marks.contains(bytes[end]) else { return nil }
            let origin = String(decoding: bytes[..<end], as: UTF8.self)
            return hasPort ? origin : origin + (scheme == "https://" ? ":443" : ":80")
        }
    }

    private var effectivePort: Int? {
        port ?? (scheme?.lowercased() == "https" ? 443 : scheme?.lowercased() == "http" ? 80 : nil)
    }
}
