import Foundation

/// How a transport handles redirects (RFC 9110, section 15.4).
///
/// Every policy follows only `http` and `https` URLs, sends credentials only to their origin, and
/// rejects a redirect from `https` to `http` unless a handler returns another URL. To another
/// origin (scheme, host or port), only header fields that are known to be harmless are sent: see
/// ``crossOrigin(_:)``. Status codes 307 and 308 repeat the body; 301 and 302 repeat it for methods
/// other than POST.
public struct RedirectPolicy: Sendable {
    /// Decides on a redirect. Receives the head of the redirect and the proposed request. Returns
    /// the request to send, changed or unchanged, or `nil` to return the redirect itself to the
    /// caller.
    ///
    /// If the handler returns a URL of another origin, header fields are removed as for a redirect
    /// by the server, except fields that the handler set.
    public typealias Handler =
        @Sendable (_ head: ResponseHead, _ proposed: URLRequest) -> URLRequest?

    let limit: Int
    let handler: Handler?
    var crossOriginFields = CrossOriginFields.harmless

    /// Whether this is ``follow(limit:)`` with the default limit and fields.
    public var isDefault: Bool {
        handler == nil && limit == Self.defaultLimit && crossOriginFields == .harmless
    }

    /// Whether this is ``refuse``, which never follows a redirect.
    public var isRefusal: Bool { limit == Self.refusal }

    /// Sentinel limit of ``refuse``. All other limits are at least 0.
    private static let refusal = -1

    /// Default maximum number of consecutive redirects: 20.
    public static let defaultLimit = 20

    /// Follows redirects, at most `limit` in succession. One more fails the request with
    /// `URLError(.httpTooManyRedirects)`. With 0 or less, the first redirect fails.
    public static func follow(limit: Int = defaultLimit) -> RedirectPolicy {
        RedirectPolicy(limit: max(0, limit), handler: nil)
    }

    /// Returns the redirect to the caller instead of following it.
    public static let refuse = RedirectPolicy(limit: refusal, handler: { _, _ in nil })

    /// Calls `handler` for each redirect and follows at most `limit` in succession, as
    /// ``follow(limit:)`` does.
    public static func modify(limit: Int = defaultLimit, _ handler: @escaping Handler)
        -> RedirectPolicy
    {
        RedirectPolicy(limit: max(0, limit), handler: handler)
    }

    /// Returns the policy with the restriction that a redirect is returned to the caller if
    /// `isAllowed` returns `false`.
    ///
    /// - Parameter isAllowed: Receives the head of the redirect and the request that would follow.
    public func limited(
        to isAllowed: @escaping @Sendable (_ head: ResponseHead, _ next: URLRequest) -> Bool
    ) -> RedirectPolicy {
        let limited = RedirectPolicy(limit: limit) { [handler] head, proposed in
            var next: URLRequest? = proposed
            if let handler { next = handler(head, proposed) }
            return next.flatMap { isAllowed(head, $0) ? $0 : nil }
        }
        return limited.crossOrigin(crossOriginFields)
    }
}
