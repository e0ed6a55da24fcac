import Foundation
import MoyaCore
import MoyaInternals

/// Proof key that binds an authorization code to the client that requested it (RFC 7636), with
/// method `S256`.
///
/// ```swift
/// let pkce = PKCE()
/// let address = oauth.authorizationURL(
///     at: endpoint, redirectURI: callback, state: state, pkce: pkce)
/// // … the user signs in, and the server redirects to `callback` with a code …
/// let token = try await oauth.exchange(
///     code: code, redirectURI: callback, codeVerifier: pkce.verifier)
/// ```
public struct PKCE: Sendable, Equatable {
    /// The secret code verifier, sent with the authorization code.
    public let verifier: String
    /// SHA-256 digest of the verifier, sent in the authorization URL.
    public let challenge: String

    /// Creates a verifier of 256 random bits.
    public init() {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        self.init(unchecked: Data(bytes).base64URL)
    }

    /// Creates a proof key from a verifier of 43 to 128 letters, digits and `-._~` (RFC 7636,
    /// section 4.1). Returns `nil` for any other text.
    public init?(verifier: String) {
        let isValid =
            (43...128).contains(verifier.utf8.count)
            && verifier.utf8.allSatisfy(PercentEncoding.isUnreserved)
        guard isValid else { return nil }
        self.init(unchecked: verifier)
    }

    private init(unchecked verifier: String) {
        self.verifier = verifier
        challenge = Digester.digest(.sha256, of: Data(verifier.utf8)).base64URL
    }
}

extension Data {
    /// Base64url encoding without padding (RFC 4648, section 5).
    fileprivate var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}

extension PKCE: CustomStringConvertible, CustomReflectable {
    /// The challenge, without the verifier.
    public var description: String { "PKCE(verifier: ***, challenge: \(challenge))" }
    /// Children without the verifier, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": challenge]) }
}
