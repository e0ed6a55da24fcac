import Foundation

/// No token could be obtained. All requests that waited for the same refresh get the same error.
public struct TokenRefreshError: Error, LocalizedError {
    /// Reason of the failure.
    public enum Reason: Sendable, Hashable {
        /// The refresh failed. See ``TokenRefreshError/cause``.
        case failed
        /// Too many refreshes: the server refuses each fresh token.
        case tooOften
        /// The token was removed, or replaced by another user's, while the request waited for a
        /// fresh token.
        case signedOut
        /// The token contains characters that a header field cannot hold.
        case unusable
    }

    /// The reason of the failure.
    public let reason: Reason
    /// The error of the refresh closure, if ``reason`` is ``Reason/failed``.
    public let cause: (any Error)?

    init(_ reason: Reason, cause: (any Error)? = nil) {
        self.reason = reason
        self.cause = cause
    }

    /// The reason, and how to resolve it.
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
