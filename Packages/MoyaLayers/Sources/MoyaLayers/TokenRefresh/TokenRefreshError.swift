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

    /// Number of refreshes that were tried, if ``reason`` is ``Reason/failed``.
    let attempts: Int

    init(_ reason: Reason, cause: (any Error)? = nil, attempts: Int = 1) {
        self.reason = reason
        self.cause = cause
        self.attempts = attempts
    }

    /// The reason, and how to resolve it.
    public var errorDescription: String? {
        switch reason {
        case .failed:
            "The access token could not be refreshed"
                + (attempts > 1 ? " in \(attempts) attempts: " : ": ")
                + (cause?.localizedDescription ?? "no reason was given.")
        case .tooOften:
            "The access token was refreshed too often: the server refuses each fresh token. Check "
                + "the token's scope and audience, and the server's clock."
        case .signedOut:
            "The user signed out while a request waited for a fresh access token. Let the user "
                + "sign in again."
        case .unusable:
            "The access token contains line breaks or other characters that are invalid in a "
                + "header field. Check where it was read from."
        }
    }
}
