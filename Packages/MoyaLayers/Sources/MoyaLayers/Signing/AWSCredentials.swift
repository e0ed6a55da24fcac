import Foundation

/// Credentials for signing requests to AWS.
public struct AWSCredentials: Sendable, Hashable {
    /// Identifier of the access key. Sent with each request.
    public var accessKeyID: String
    /// Secret access key. Never sent.
    public var secretAccessKey: String
    /// Session token of temporary credentials, sent with each request. `nil` for long-term
    /// credentials.
    public var sessionToken: String?

    /// - Parameter sessionToken: Session token that AWS STS issued with temporary credentials.
    ///   `nil` for long-term credentials.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: CustomStringConvertible, CustomReflectable {
    /// The access key ID, without the secrets.
    public var description: String { "AWSCredentials(accessKeyID: \(accessKeyID), ***)" }
    /// Children without secrets, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}

/// A request cannot be signed.
struct AWSSigningError: Error, Equatable, LocalizedError {
    /// Describes what the request lacks.
    let errorDescription: String?

    static let noURL = AWSSigningError(
        errorDescription: "The request cannot be signed, because its URL has no host. Check the "
            + "target's baseURL.")
    static let invalidLifetime = AWSSigningError(
        errorDescription: "A presigned URL can be valid for 1 to 604800 seconds. Pass another "
            + "expiresIn.")
}
