import Foundation

/// A request that is about to be sent, as plugins see it.
@preconcurrency
public protocol RequestType: Sendable {
    /// The request as every plugin's `prepare` left it.
    var request: URLRequest? { get }

    /// Header fields that the transport adds by itself. Empty unless it says otherwise.
    var sessionHeaders: [String: String] { get }

    /// Answers an authentication challenge with a user name and a password.
    @discardableResult
    func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence
    ) -> Self

    /// Answers an authentication challenge with `credential`.
    @discardableResult
    func authenticate(with credential: URLCredential) -> Self

    /// Hands `handler` the request as a `curl` command behind a `$`, its secrets masked.
    @discardableResult
    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self

    /// Hands `handler` the request as a `curl` command behind a `$`, with what `redaction` says masked.
    ///
    /// Unless a type has its own, it is the text of ``cURLDescription(calling:)``, masked once more.
    @discardableResult
    func cURLDescription(
        redaction: Redaction, calling handler: @escaping @Sendable (String) -> Void
    ) -> Self
}

extension RequestType {
    @discardableResult
    public func cURLDescription(
        redaction: Redaction, calling handler: @escaping @Sendable (String) -> Void
    ) -> Self {
        cURLDescription { handler(redaction.redact(text: $0)) }
    }
}
