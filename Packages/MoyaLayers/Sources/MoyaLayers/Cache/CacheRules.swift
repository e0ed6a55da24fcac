import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// Which responses a private cache may store, and for which requests they stand.
enum CacheRules {
    /// The key of a request: its URL without the fragment. Only answers to GET are stored.
    ///
    /// Of a URL with secrets in it, the digest tells it from others, as stores may be files.
    static func key(of url: URL) -> String {
        let text = String(url.absoluteString.prefix { $0 != "#" })
        let shown = Redaction.default.redact(address: text)
        return shown == text
            ? text : "\(shown)#\(Hexadecimal.encode(Digester.digest(.sha256, of: Data(text.utf8))))"
    }

    /// Whether the request may be answered with a stored response, and its own response be stored.
    ///
    /// Not one for a part or with conditions of its own. Not one with a credential, in its URL or beside it, as its fields do
    /// not name the user, and not one with a body, as its URL does not say what is wanted.
    static func concerns(_ request: TransportRequest) -> Bool {
        let own = [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since",
        ]
        guard case .none = request.body, request.urlRequest.url?.user == nil,
            request.urlRequest.url?.password == nil
        else { return false }
        return request.method == "GET" && request.credential == nil
            && own.allSatisfy { request.value(for: $0) == nil }
    }

    /// Whether the response may be stored (RFC 9111, section 3).
    static func mayStore(_ head: ResponseHead, for request: TransportRequest) -> Bool {
        let control = CacheControl(head.values(for: "Cache-Control"))
        let understood = isUnderstood(head.statusCode)
        if control.has("must-understand") {
            guard understood else { return false }
        } else if control.has("no-store") {
            return false
        }
        guard head.statusCode >= 200, head.statusCode != 206, head.statusCode != 304,
            !varies(head.fields).contains("*"),
            // The transport may add cookies of its own, which are not known here.
            !varies(head.fields).contains("cookie") || request.value(for: "Cookie") != nil
        else { return false }
        let isExplicit =
            control.has("max-age") || control.has("public")
            || !head.values(for: "Expires").isEmpty
        if isExplicit { return true }
        let hasValidator = ["ETag", "Last-Modified"].contains { !head.values(for: $0).isEmpty }
        return isHeuristicallyCacheable(head.statusCode) && hasValidator
    }

    /// Whether responses with this status may be stored where the server does not say for how long (RFC 9110,
    /// section 15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    private static func isUnderstood(_ status: Int) -> Bool {
        isHeuristicallyCacheable(status)
            || [302, 303, 307, 400, 401, 403, 500, 502, 503, 504].contains(status)
    }

    /// The names in `Vary`, in lower case.
    static func varies(_ fields: [HeaderField]) -> Set<String> {
        Set(
            fields.values(for: "Vary").flatMap { $0.split(separator: ",") }
                .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
                .filter { !$0.isEmpty })
    }

    /// Digests of the values that `request` has for the fields a response depends on: those in `Vary`, and each that may
    /// identify the user. One user's response is never another's, whatever the server says of it: RFC 9111, section 3.5,
    /// allows a shared cache more (`public`, `s-maxage`), and this one is private.
    static func selectors(
        for fields: [HeaderField], of request: TransportRequest
    ) -> [String: UInt64] {
        let own = (request.urlRequest.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() }
        let names = varies(fields).union(["authorization"]).union(own.filter(mayIdentifyUser))
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, selector($0, of: request)) })
    }

    private static func selector(_ name: String, of request: TransportRequest) -> UInt64 {
        guard let value = request.value(for: name) else {
            // A layer inside is going to add the field. Until then the scheme stands for it.
            guard name == "authorization", let type = request.authorizationType else { return 0 }
            return digest(type.value)
        }
        let list = value.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return digest(list.joined(separator: ","))
    }

    /// Whether the header field of this name, in lower case, may identify the user. Names of unknown fields are not judged by
    /// their words: each of these fields may.
    private static func mayIdentifyUser(_ name: String) -> Bool {
        !RedirectPolicy.isHarmless(name) && !fieldsOfOneRequest.contains(name)
            && !name.hasPrefix("x-b3-") && !name.hasPrefix("x-datadog-")
    }

    /// Fields that identify a request, not its user: traces, idempotency keys and the date.
    private static let fieldsOfOneRequest: Set = [
        "b3", "baggage", "correlation-context", "correlation-id", "date", "idempotency-key",
        "request-id", "sentry-trace", "traceparent", "tracestate", "uber-trace-id",
        "x-amzn-trace-id", "x-cloud-trace-context", "x-correlation-id", "x-idempotency-key",
        "x-request-id", "x-trace-id",
    ]

    private static func digest(_ text: String) -> UInt64 {
        // No other text can be found for a digest by SHA-256.
        Digester.digest(.sha256, of: Data(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The stored response to use for `request` (section 4.1): of several that match, the latest.
    static func select(
        from stored: [StoredResponse], for request: TransportRequest
    ) -> StoredResponse? {
        stored.filter { matches($0, request) && isFinal($0, for: request) }.max {
            ($0.date, $0.responseTime) < ($1.date, $1.responseTime)
        }
    }

    /// Whether `stored` is what `request` would end with. A redirect is not for one who might follow it: to do that, or
    /// to ask the one who decides, is for the transport.
    private static func isFinal(_ stored: StoredResponse, for request: TransportRequest) -> Bool {
        !Redirect.isRedirect(stored.statusCode) || request.redirectPolicy.isRefusal
    }

    static func matches(_ stored: StoredResponse, _ request: TransportRequest) -> Bool {
        // A credential that the stored response's request had not makes another user too.
        stored.selectors == selectors(for: stored.fields, of: request)
    }

    /// The URLs whose stored responses are no longer good after `head` answered a request that
    /// changes something (section 4.4).
    static func invalidated(
        by head: ResponseHead, for request: TransportRequest
    ) -> [URL] {
        guard !HTTPMethod(rawValue: request.method).isSafe,
            (200...399).contains(head.statusCode), let url = request.urlRequest.url
        else { return [] }
        // After a redirect, the change was made at the URL that answered.
        let named = ["Location", "Content-Location"].flatMap { head.values(for: $0) }
            .compactMap { URL(string: $0, relativeTo: head.url)?.absoluteURL }
            .filter { $0.hasSameOrigin(as: head.url) }
        return [url, head.url] + named
    }
}
