import Foundation

/// Trusts what the transport trusts without any evaluator.
public struct DefaultTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation

    /// - Parameter validateHost: Whether the certificate has to be for the host.
    public init(validateHost: Bool = true) {
        validation = TrustValidation(validatesHost: validateHost)
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) {}
}

/// Trusts what the transport trusts and what has not been revoked. CurlTransport takes a stapled answer as the
/// proof (RFC 6066, section 8); Apple's platforms ask for one themselves.
public struct RevocationTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation

    /// - Parameters:
    ///   - performDefaultValidation: Whether the chain has to be valid besides.
    ///   - validateHost: Whether the certificate has to be for the host.
    public init(performDefaultValidation: Bool = true, validateHost: Bool = true) {
        validation = TrustValidation(
            validatesChain: performDefaultValidation, validatesHost: validateHost,
            checksRevocation: true)
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) {}
}

/// Trusts a server with one of these certificates in the chain that was verified.
///
/// That may be an authority's, where the transport tells who has signed: FoundationTransport does, and so does
/// CurlTransport over OpenSSL. Without `performDefaultValidation` the server's own certificate alone counts.
///
/// Pin a second one, which is not in use yet, for the day the first one expires.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation
    private let pinned: Set<ServerCertificate>

    /// - Parameters:
    ///   - certificates: The certificates that are trusted. With none, nothing is.
    ///   - acceptSelfSignedCertificates: Whether they are roots themselves, in place of the transport's.
    ///   - performDefaultValidation: Whether the chain has to be valid besides.
    ///   - validateHost: Whether the certificate has to be for the host.
    public init(
        certificates: [ServerCertificate], acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) {
        pinned = Set(certificates)
        validation = TrustValidation(
            validatesChain: performDefaultValidation, validatesHost: validateHost,
            anchors: acceptSelfSignedCertificates ? certificates : nil)
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        guard !pinned.isDisjoint(with: validation.proven(of: certificates)) else {
            throw ServerTrustError("\(host) has none of the pinned certificates.")
        }
    }
}

/// Trusts a server with one of these keys in the chain that was verified, as
/// ``PinnedCertificatesTrustEvaluator`` does with certificates.
///
/// Pin a second one, which is not in use yet, for the day of change.
public struct PublicKeysTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation
    private let pinned: Set<ServerPublicKey>

    /// - Parameters:
    ///   - keys: The keys that are trusted. With none, nothing is.
    ///   - performDefaultValidation: Whether the chain has to be valid besides.
    ///   - validateHost: Whether the certificate has to be for the host.
    public init(
        keys: [ServerPublicKey], performDefaultValidation: Bool = true, validateHost: Bool = true
    ) {
        pinned = Set(keys)
        validation = TrustValidation(
            validatesChain: performDefaultValidation, validatesHost: validateHost)
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        let proven = validation.proven(of: certificates)
        guard !pinned.isDisjoint(with: proven.compactMap(\.publicKey)) else {
            throw ServerTrustError("\(host) has none of the pinned keys.")
        }
    }
}

/// Trusts what all of these trust. Roots that an evaluator brings along count where all that have the chain validated
/// bring them: beside one that goes by the transport's own roots, none do.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation
    private let evaluators: [any ServerTrustEvaluating]

    /// - Parameter evaluators: With none, the transport alone checks the certificates.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
        let all = evaluators.map(\.validation)
        let anchors = all.filter(\.validatesChain).map(\.anchors)
        validation = TrustValidation(
            validatesChain: all.isEmpty || all.contains(where: \.validatesChain),
            validatesHost: all.isEmpty || all.contains(where: \.validatesHost),
            anchors: Self.common(anchors),
            checksRevocation: all.contains(where: \.checksRevocation))
    }

    /// The roots that are ones for each of them. `nil` are the transport's own: who has those must not be satisfied with
    /// what another one brings along. That its roots are in the chain as well is its own `evaluate` to see.
    private static func common(_ anchors: [[ServerCertificate]?]) -> [ServerCertificate]? {
        guard let first = anchors.first, let first, !anchors.contains(nil) else { return nil }
        return first.filter { root in anchors.allSatisfy { $0?.contains(root) == true } }
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        for evaluator in evaluators { try evaluator.evaluate(certificates, forHost: host) }
    }
}

/// Trusts every server: a man in the middle may read and change everything. For tests alone.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
    public let validation = TrustValidation(validatesChain: false, validatesHost: false)

    /// Name the test's own host when you give it to a ``ServerTrustManager``, and no other.
    public init() {}

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) {}
}
