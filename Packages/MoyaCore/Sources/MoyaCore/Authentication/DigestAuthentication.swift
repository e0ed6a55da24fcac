import Foundation
import MoyaInternals

/// Digest authentication (RFC 7616), with `qop=auth`, or without `qop` for servers that predate it.
struct DigestAuthentication {
    /// A hash algorithm. Cases are ordered from weak to strong.
    enum Algorithm: Int, Comparable {
        case md5, sha256

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        func hash(_ text: String) -> String {
            let function: Digester.Function = self == .md5 ? .md5 : .sha256
            return Hexadecimal.encode(Digester.digest(function, of: Data(text.utf8)))
        }
    }

    let algorithm: Algorithm
    let nonce: String
    /// Whether the server rejected only the nonce of the last answer, not its credential.
    let isStale: Bool
    private let realm: String
    private let opaque: String?
    /// The algorithm as the server wrote it.
    private let algorithmName: String?
    private let isSession: Bool
    private let hasQuality: Bool
    private let hashesUser: Bool

    /// Returns `nil` for another scheme or an unsupported challenge.
    init?(_ challenge: Challenge) {
        guard challenge.scheme == "digest", let realm = challenge.parameters["realm"],
            let nonce = challenge.parameters["nonce"]
        else { return nil }
        let parameters = challenge.parameters
        switch parameters["algorithm"]?.lowercased() {
        case nil, "md5", "md5-sess": algorithm = .md5
        case "sha-256", "sha-256-sess": algorithm = .sha256
        default: return nil
        }
        if let qualities = parameters["qop"] {
            let offers = qualities.lowercased().split { " \t,".contains($0) }
            guard offers.contains("auth") else { return nil }
        }
        self.realm = realm
        self.nonce = nonce
        opaque = parameters["opaque"]
        algorithmName = parameters["algorithm"]
        isSession = algorithmName?.lowercased().hasSuffix("-sess") == true
        hasQuality = parameters["qop"] != nil
        hashesUser = parameters["userhash"]?.lowercased() == "true"
        isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// Returns the value of the `Authorization` field.
    ///
    /// - Parameters:
    ///   - target: The request target of the request line.
    ///   - count: Number of uses of the nonce, including this one.
    ///   - clientNonce: Random letters and digits.
    func answer(
        user: String, password: String, method: String, target: String, count: Int,
        clientNonce: String
    ) -> String {
        var secret = algorithm.hash("\(user):\(realm):\(password)")
        if isSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
        let request = algorithm.hash("\(method):\(target)")
        let digits = String(count, radix: 16)
        let nonceCount = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let middle = hasQuality ? "\(nonce):\(nonceCount):\(clientNonce):auth" : nonce

        var fields = [
            name(of: user), "realm=\(quoted(realm))", "nonce=\(quoted(nonce))",
            "uri=\(quoted(target))",
            "response=\"\(algorithm.hash("\(secret):\(middle):\(request)"))\"",
        ]
        if let algorithmName { fields.append("algorithm=\(algorithmName)") }
        if hasQuality { fields.append("qop=auth, nc=\(nonceCount)") }
        if hasQuality || isSession { fields.append("cnonce=\"\(clientNonce)\"") }
        if let opaque { fields.append("opaque=\(quoted(opaque))") }
        if hashesUser { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    private func name(of user: String) -> String {
        if hashesUser { return "username=\"\(algorithm.hash("\(user):\(realm)"))\"" }
        guard !user.utf8.allSatisfy({ $0 < 0x80 }) else { return "username=\(quoted(user))" }
        // RFC 8187, section 3.2.1: percent-encodes all characters except letters and digits.
        let name = user.addingPercentEncoding(withAllowedCharacters: Self.lettersAndDigits)
        return "username*=UTF-8''\(name ?? "")"
    }

    private static let lettersAndDigits = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    private func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"\(String(String.UnicodeScalarView(escaped)))\""
    }
}
