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
    /// The credential for a target. `nil` means none.
    public typealias CredentialClosure = @Sendable (any TargetType) -> URLCredential?

    private let credentialsClosure: CredentialClosure

    /// - Parameter credentialsClosure: Called before each request is sent. The server gets nothing of the credential
    ///   before it asks.
    @preconcurrency
    public init(credentialsClosure: @escaping CredentialClosure) {
        self.credentialsClosure = credentialsClosure
    }

    public func willSend(_ request: any RequestType, target: any TargetType) {
        if let credential = credentialsClosure(target) { request.authenticate(with: credential) }
    }
}
