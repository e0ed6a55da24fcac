import Foundation
import MoyaCore
import MoyaInternals

/// Ties an authorization code to the client that asked for it (RFC 7636), by the method `S256`.
///
/// ```swift
/// let pkce = PKCE()
/// let address = oauth.authorizationURL(at: endpoint, redirectURI: callback, state: state, pkce: pkce)
/// // … the user signs in, and comes back with a code …
/// let token = try await oauth.exchange(code: code, redirectURI: callback, codeVerifier: pkce.verifier)
/// ```
public struct PKCE: Sendable, Equatable {
    /// The secret, sent with the code.
    public let verifier: String
    /// Its digest, sent with the user.
    public let challenge: String

    /// A new secret of 256 random bits.
    public init() {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        self.init(unchecked: Data(bytes).base64URL)
    }

    /// The secret `verifier`: 43 to 128 letters, digits and `-._~` (section 4.1), or `nil`.
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
    /// Base64 for URLs, without padding (RFC 4648, section 5).
    fileprivate var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}

extension PKCE: CustomStringConvertible, CustomReflectable {
    /// Without the secret.
    public var description: String { "PKCE(verifier: ***, challenge: \(challenge))" }
    /// Shows no secret to `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": challenge]) }
}
