import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// Rules of a private cache: which responses may be stored, and which requests they answer.
enum CacheRules {
    /// Returns the cache key of a GET request: its URL without the fragment.
    ///
    /// If the URL contains secrets, the key has them masked and a SHA-256 digest of the URL
    /// appended, because a store may write keys to disk.
    static func key(of url: URL) -> String {
        let whole = url.absoluteString
        let end = whole.utf8.firstIndex(of: UInt8(ascii: "#"))
        let text = end.map { String(whole[..<$0]) } ?? whole
        let shown = Redaction.default.redact(url: text)
        return shown == text
            ? text : "\(shown)#\(Hexadecimal.encode(Digester.digest(.sha256, of: Data(text.utf8))))"
    }

    /// Whether a stored response may answer the request, and its response may be stored.
    ///
    /// Excluded are requests for a range and requests with conditions from the caller. Excluded are
    /// also requests with a credential, in the URL or beside it, because their header fields do not
    /// identify the user, and requests with a body, because their URL does not identify the
    /// resource.
    static func concerns(_ request: TransportRequest) -> Bool {
        guard case .none = request.body, request.method == "GET", request.credential == nil,
            request.urlRequest.url?.user == nil, request.urlRequest.url?.password == nil
        else { return false }
        let names = (request.urlRequest.allHTTPHeaderFields ?? [:]).keys
        return !names.contains { name in
            fieldsOfParts.contains { name.isEqualIgnoringCase(to: $0) }
        }
    }

    /// Fields of requests for a part of a resource, and of requests with conditions.
    private static let fieldsOfParts = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since",
    ]

    /// Whether the response may be stored (RFC 9111, section 3).
    static func mayStore(_ head: ResponseHead, for request: TransportRequest) -> Bool {
        let control = CacheControl(head.values(for: "Cache-Control"))
        if control.has("must-understand") {
            guard isUnderstood(head.statusCode) else { return false }
        } else if control.has("no-store") {
            return false
        }
        let varied = head.fields.members(of: "Vary")
        guard head.statusCode >= 200, head.statusCode != 206, head.statusCode != 304,
            !varied.contains("*"),
            // The transport may add cookies that this layer cannot see.
            !varied.contains("cookie") || request.value(for: "Cookie") != nil
        else { return false }
        let isExplicit =
            control.has("max-age") || control.has("public")
            || !head.values(for: "Expires").isEmpty
        if isExplicit { return true }
        let hasValidator = ["ETag", "Last-Modified"].contains { !head.values(for: $0).isEmpty }
        return isHeuristicallyCacheable(head.statusCode) && hasValidator
    }

    /// Whether a response with this status may be stored without an explicit lifetime (RFC 9110,
    /// section 15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    private static func isUnderstood(_ status: Int) -> Bool {
        isHeuristicallyCacheable(status)
            || [302, 303, 307, 400, 401, 403, 500, 502, 503, 504].contains(status)
    }

    /// Returns digests of the request's values for the fields that a response depends on: the
    /// fields in `Vary`, and all fields that may identify the user. A user's response is never
    /// served to another user, whatever its directives say: RFC 9111, section 3.5, allows a shared
    /// cache more (`public`, `s-maxage`), but this cache is private.
    static func selectors(
        for fields: [HeaderField], of request: TransportRequest
    ) -> [String: UInt64] {
        let own = (request.urlRequest.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() }
        let names = fields.members(of: "Vary").union(["authorization"])
            .union(own.filter(mayIdentifyUser))
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, selector($0, of: request)) })
    }

    private static func selector(_ name: String, of request: TransportRequest) -> UInt64 {
        guard let value = request.value(for: name) else {
            // A layer inside this one adds the field later. Until then the scheme stands for it.
            guard name == "authorization", let type = request.context.authorizationType else {
                return 0
            }
            return digest(type.value)
        }
        let list = value.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return digest(list.joined(separator: ","))
    }

    /// Whether the header field with this name, in lower case, may identify the user. Every unknown
    /// field may.
    private static func mayIdentifyUser(_ name: String) -> Bool {
        !RedirectPolicy.isHarmless(name) && !fieldsOfOneRequest.contains(name)
            && !name.hasPrefix("x-b3-") && !name.hasPrefix("x-datadog-")
    }

    /// Fields that identify a request rather than its user: traces, idempotency keys and the date.
    private static let fieldsOfOneRequest: Set = [
        "b3", "baggage", "correlation-context", "correlation-id", "date", "idempotency-key",
        "request-id", "sentry-trace", "traceparent", "tracestate", "uber-trace-id",
        "x-amzn-trace-id", "x-cloud-trace-context", "x-correlation-id", "x-idempotency-key",
        "x-request-id", "x-trace-id",
    ]

    private static func digest(_ text: String) -> UInt64 {
        // SHA-256 rather than FNV-1a: finding a value with another user's digest must not be
        // practical.
        Digester.digest(.sha256, of: Data(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the stored response to use for `request` (RFC 9111, section 4.1): the latest match.
    static func select(
        from stored: [StoredResponse], for request: TransportRequest
    ) -> StoredResponse? {
        stored.filter {
            // A stored redirect answers only requests that refuse redirects: for others the
            // transport follows it or consults their redirect policy.
            matches($0, request)
                && (!Redirect.isRedirect($0.statusCode) || request.redirectPolicy.isRefusal)
        }.max { ($0.date, $0.responseTime) < ($1.date, $1.responseTime) }
    }

    static func matches(_ stored: StoredResponse, _ request: TransportRequest) -> Bool {
        // The dictionaries must have equal keys too: a request with an identifying field that the
        // stored request lacked comes from another user.
        stored.selectors == selectors(for: stored.fields, of: request)
    }

    /// Returns the URLs whose stored responses are invalid after `head` answered an unsafe request
    /// (RFC 9111, section 4.4).
    static func invalidated(
        by head: ResponseHead, for request: TransportRequest
    ) -> [URL] {
        guard !HTTPMethod(rawValue: request.method).isSafe,
            (200...399).contains(head.statusCode), let url = request.urlRequest.url
        else { return [] }
        // After a redirect, the change happened at the URL of the response.
        let named = ["Location", "Content-Location"].flatMap { head.values(for: $0) }
            .compactMap { ReceivedValue.url($0, relativeTo: head.url) }
            .filter { $0.origin == head.url.origin }
        return [url, head.url] + named
    }
}
