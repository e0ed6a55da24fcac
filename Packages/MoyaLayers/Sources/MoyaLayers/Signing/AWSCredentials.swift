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
public struct AWSSigningError: Error, Equatable, LocalizedError {
    /// Describes what the request lacks.
    public let errorDescription: String?

    static let noURL = AWSSigningError(
        errorDescription: "The request has no URL with a host, so there is nothing to sign for."
    )
}
