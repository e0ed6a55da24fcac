import Foundation

/// Who signs a request to AWS.
public struct AWSCredentials: Sendable, Hashable {
    /// Names the key.
    public var accessKeyID: String
    /// The key. Never sent.
    public var secretAccessKey: String
    /// Comes with temporary credentials, and is sent with each request. `nil` for those that last.
    public var sessionToken: String?

    /// - Parameter sessionToken: What the token service has given with temporary credentials. `nil` for those of a
    ///   user.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: CustomStringConvertible, CustomReflectable {
    /// Without the secrets.
    public var description: String { "AWSCredentials(accessKeyID: \(accessKeyID), ***)" }
    /// Shows no secret to `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}

/// A request cannot be signed as it is.
public struct AWSSigningError: Error, Equatable, LocalizedError {
    /// What is missing.
    public let errorDescription: String?

    static let noURL = AWSSigningError(
        errorDescription: "The request has no URL with a host, so there is nothing to sign for."
    )
}
