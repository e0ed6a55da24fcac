import Foundation

/// No token could be had. Everyone who waited for the same refresh gets the same error.
public struct TokenRefreshError: Error, LocalizedError {
    /// What went wrong.
    public enum Reason: Sendable, Hashable {
        /// The refresh failed. See ``TokenRefreshError/cause``.
        case failed
        /// The server refuses one fresh token after the other.
        case tooOften
        /// The token was taken away, or another user's put in its place, while the request waited for a fresh one.
        case signedOut
        /// The token holds characters that no header field may hold.
        case unusable
    }

    /// What went wrong.
    public let reason: Reason
    /// What the refresh failed with.
    public let cause: (any Error)?

    init(_ reason: Reason, cause: (any Error)? = nil) {
        self.reason = reason
        self.cause = cause
    }

    public var errorDescription: String? {
        switch reason {
        case .failed:
            "The access token could not be refreshed: "
                + (cause?.localizedDescription ?? "no reason was given.")
        case .tooOften:
            "The access token was refreshed again and again, and refused each time. "
                + "Check what the token is good for and the server's clock."
        case .signedOut:
            "The user of the access token signed out while a request waited for a fresh one."
        case .unusable:
            "The access token holds line breaks or other characters that no header field may hold. "
                + "Check where it was read from."
        }
    }
}
