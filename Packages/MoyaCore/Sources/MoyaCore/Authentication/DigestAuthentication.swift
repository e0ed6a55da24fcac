import Foundation
import MoyaInternals

/// Digest authentication (RFC 7616), with `qop=auth` or `qop=auth-int`, or without `qop` for
/// servers that predate it.
struct DigestAuthentication {
    /// A hash algorithm. Cases are in the order of preference, the best last. SHA-512/256 is as
    /// strong as SHA-256, but some servers compute it wrongly.
    enum Algorithm: Int, Comparable {
        case md5, sha512_256, sha256

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        func hash(_ text: String) -> String { hash(Data(text.utf8)) }

        func hash(_ data: Data) -> String {
            let function: Digester.Function =
                switch self {
                case .md5: .md5
                case .sha256: .sha256
                case .sha512_256: .sha512_256
                }
            return Hexadecimal.encode(Digester.digest(function, of: data))
        }
    }

    /// The quality of protection: of the request line alone, or of the body as well.
    private enum Quality: String {
        case auth
        case authInt = "auth-int"
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
    /// `nil` if the server predates qualities.
    private let quality: Quality?
    /// Whether the challenge applies to the whole server (RFC 7616, section 3.3).
    let coversServer: Bool
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
        case "sha-512-256", "sha-512-256-sess": algorithm = .sha512_256
        default: return nil
        }
        if let qualities = parameters["qop"] {
            let offers = qualities.lowercased().split { " \t,".contains($0) }
            let quality: Quality? =
                offers.contains("auth") ? .auth : offers.contains("auth-int") ? .authInt : nil
            guard let quality else { return nil }
            self.quality = quality
        } else {
            quality = nil
        }
        self.realm = realm
        self.nonce = nonce
        opaque = parameters["opaque"]
        algorithmName = parameters["algorithm"]
        isSession = algorithmName?.lowercased().hasSuffix("-sess") == true
        coversServer = parameters["domain"]?.isEmpty != false
        hashesUser = parameters["userhash"]?.lowercased() == "true"
        isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// Whether an answer for a request with `body` can be computed: `auth-int` requires the body's
    /// hash, which is computed only of a body in memory.
    func mayAnswer(for body: RequestBody) -> Bool {
        guard quality == .authInt else { return true }
        return switch body {
        case .none, .data: true
        case .file, .stream: false
        }
    }

    /// Returns the value of the `Authorization` field.
    ///
    /// - Parameters:
    ///   - target: The request target of the request line.
    ///   - body: The request's body.
    ///   - count: Number of uses of the nonce, including this one.
    ///   - clientNonce: Random letters and digits.
    func answer(
        user: String, password: String, method: String, target: String,
        body: RequestBody = .none, count: Int, clientNonce: String
    ) -> String {
        var secret = algorithm.hash("\(user):\(realm):\(password)")
        if isSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
        var request = "\(method):\(target)"
        if quality == .authInt { request += ":" + hash(of: body) }
        let digits = String(count, radix: 16)
        let nonceCount = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let middle =
            quality.map { "\(nonce):\(nonceCount):\(clientNonce):\($0.rawValue)" } ?? nonce

        var fields = [
            name(of: user), "realm=\(quoted(realm))", "nonce=\(quoted(nonce))",
            "uri=\(quoted(target))",
            "response=\"\(algorithm.hash("\(secret):\(middle):\(algorithm.hash(request))"))\"",
        ]
        if let algorithmName { fields.append("algorithm=\(algorithmName)") }
        if let quality { fields.append("qop=\(quality.rawValue), nc=\(nonceCount)") }
        if quality != nil || isSession { fields.append("cnonce=\"\(clientNonce)\"") }
        if let opaque { fields.append("opaque=\(quoted(opaque))") }
        if hashesUser { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    private func hash(of body: RequestBody) -> String {
        if case .data(let data) = body { algorithm.hash(data) } else { algorithm.hash("") }
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
