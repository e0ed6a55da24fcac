import Foundation

/// What a transport does when a server answers with a redirect (RFC 9110, section 15.4).
///
/// Whatever the policy, only `http` and `https` are followed, credentials stay with the origin they were meant for, and a
/// redirect from `https` to `http` is refused unless a handler has put another URL in its place. To another origin, which
/// is another scheme, host or port, go the header fields that are known as harmless and no others: see
/// ``crossOrigin(_:)``. A body goes along where the status says so (307 and 308).
public struct RedirectPolicy: Sendable {
    /// Decides about one redirect: the answer that redirects and the request that would follow
    /// it. Return the request to send, changed or not, or `nil` to keep the answer as it is.
    ///
    /// Should you name another origin, header fields stay behind as they do where the server names it, but for those
    /// that you set yourself.
    public typealias Handler =
        @Sendable (_ head: ResponseHead, _ proposed: URLRequest) -> URLRequest?

    let limit: Int
    let handler: Handler?
    var crossOriginFields = CrossOriginFields.harmless

    /// Whether it is the default: ``follow(limit:)`` with its own limit and fields.
    public var isDefault: Bool {
        handler == nil && limit == Self.defaultLimit && crossOriginFields == .harmless
    }

    /// Whether it is ``refuse``, which never follows a redirect.
    public var isRefusal: Bool { limit == Self.refusal }

    /// A limit that no other policy has: the others have none below 0.
    private static let refusal = -1

    /// How many redirects in a row are followed unless something else is said: 20.
    public static let defaultLimit = 20

    /// Follows redirects, at most `limit` in a row. One more fails the exchange with
    /// `URLError(.httpTooManyRedirects)`: with 0 or less, the first does.
    public static func follow(limit: Int = defaultLimit) -> RedirectPolicy {
        RedirectPolicy(limit: max(0, limit), handler: nil)
    }

    /// Hands the redirect itself to the caller.
    public static let refuse = RedirectPolicy(limit: refusal, handler: { _, _ in nil })

    /// Asks `handler` about each redirect, and follows at most `limit` in a row, as ``follow(limit:)`` does.
    public static func modify(limit: Int = defaultLimit, _ handler: @escaping Handler)
        -> RedirectPolicy
    {
        RedirectPolicy(limit: max(0, limit), handler: handler)
    }

    /// The same policy, which also stops at a redirect where `isAllowed` returns `false`: the response that redirects is
    /// then the result.
    ///
    /// - Parameter isAllowed: Called with the head of the response that redirects and the request that would follow.
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
