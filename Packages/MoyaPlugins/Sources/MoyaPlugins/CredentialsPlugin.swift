import Foundation
import MoyaCore

/// Answers authentication challenges with a credential.
///
/// ```swift
/// let plugin = CredentialsPlugin { _ in
///     URLCredential(user: "user", password: "password", persistence: .none)
/// }
/// ```
public final class CredentialsPlugin: PluginType {
    /// Returns the credential for a target, or `nil` to send no credential.
    public typealias CredentialClosure = @Sendable (any TargetType) -> URLCredential?

    private let credentialsClosure: CredentialClosure

    /// - Parameter credentialsClosure: Called before each request is sent. The credential is sent
    ///   only after the server's challenge.
    @preconcurrency
    public init(credentialsClosure: @escaping CredentialClosure) {
        self.credentialsClosure = credentialsClosure
    }

    /// Sets the credential of the request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        if let credential = credentialsClosure(target) { request.authenticate(with: credential) }
    }
}
