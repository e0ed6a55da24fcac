import Foundation

/// A request that is about to be sent, as passed to plugins.
@preconcurrency
public protocol RequestType: Sendable {
    /// The request after every plugin's `prepare`.
    var request: URLRequest? { get }

    /// Header fields that the transport adds to a request that does not have them: its
    /// ``Transport/sessionHeaders``. Empty for a stub.
    var sessionHeaders: [String: String] { get }

    /// Sets the user name and password that respond to an authentication challenge.
    @discardableResult
    func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence
    ) -> Self

    /// Sets the credential that responds to an authentication challenge.
    @discardableResult
    func authenticate(with credential: URLCredential) -> Self

    /// Passes the request to `handler` as a `curl` command prefixed with `$`, with secrets masked.
    @discardableResult
    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self

    /// Passes the request to `handler` as a `curl` command prefixed with `$`, with the secrets of
    /// `redaction` masked.
    ///
    /// The default implementation applies `redaction` to the text of ``cURLDescription(calling:)``.
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
