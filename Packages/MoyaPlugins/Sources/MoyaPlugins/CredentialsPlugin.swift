import Foundation
import MoyaCore

/// Answers authentication challenges with a credential.
///
/// ```swift
/// let plugin = CredentialsPlugin { _ in
///     URLCredential(user: "user", password: "password", persistence: .none)
/// }
/// ```
///
/// The credential is sent after a challenge, and from then on without one to the same folder of the
/// server (`AuthenticationCache` of MoyaCore). To spare the first challenge of a server that
/// requires Basic, set `sendsBasicAtOnce`: a large body is then sent once.
public final class CredentialsPlugin: PluginType {
    /// Returns the credential for a target, or `nil` to send no credential.
    public typealias CredentialClosure = @Sendable (any TargetType) -> URLCredential?

    private let credentialsClosure: CredentialClosure
    private let sendsBasicAtOnce: Bool

    /// - Parameters:
    ///   - sendsBasicAtOnce: Whether `https` requests are sent with the credential as Basic (RFC
    ///     7617) at once, unless they have an `Authorization` field. Digest is then not used for
    ///     them.
    ///   - credentialsClosure: Called for each request.
    @preconcurrency
    public init(
        sendsBasicAtOnce: Bool = false, credentialsClosure: @escaping CredentialClosure
    ) {
        self.sendsBasicAtOnce = sendsBasicAtOnce
        self.credentialsClosure = credentialsClosure
    }

    /// Sets the `Authorization` field, if Basic is sent at once.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        guard sendsBasicAtOnce, request.url?.scheme?.lowercased() == "https",
            request.value(forHTTPHeaderField: "Authorization") == nil,
            let credential = credentialsClosure(target), let user = credential.user,
            // RFC 7617, section 2.
            !user.utf8.contains(UInt8(ascii: ":"))
        else { return request }
        var request = request
        let pair = Data("\(user):\(credential.password ?? "")".utf8)
        request.setValue("Basic \(pair.base64EncodedString())", forHTTPHeaderField: "Authorization")
        return request
    }

    /// Sets the credential of the request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        if let credential = credentialsClosure(target) { request.authenticate(with: credential) }
    }
}
