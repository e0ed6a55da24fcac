import Foundation

/// Applies the transport's default validation.
public struct DefaultTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation

    /// - Parameter validateHost: Whether the certificate has to match the host.
    public init(validateHost: Bool = true) {
        validation = TrustValidation(validatesHost: validateHost)
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) {}
}

/// Applies the transport's default validation and checks revocation. CurlTransport requires a
/// stapled OCSP response (RFC 6066, section 8); Apple platforms request one themselves.
public struct RevocationTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation

    /// - Parameters:
    ///   - performDefaultValidation: Whether the chain has to be valid.
    ///   - validateHost: Whether the certificate has to match the host.
    public init(performDefaultValidation: Bool = true, validateHost: Bool = true) {
        validation = TrustValidation(
            validatesChain: performDefaultValidation, validatesHost: validateHost,
            checksRevocation: true)
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) {}
}

/// Trusts a server if its verified chain contains a pinned certificate.
///
/// The pinned certificate may be a certificate authority's if the transport provides the chain, as
/// FoundationTransport does and CurlTransport with OpenSSL. Without `performDefaultValidation`,
/// only the server's certificate is compared.
///
/// Pin a second certificate that is not yet in use, for the time after the first one expires.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation
    private let pinned: [ServerCertificate]

    /// - Parameters:
    ///   - certificates: The pinned certificates. An empty list trusts no server.
    ///   - acceptSelfSignedCertificates: Whether the pinned certificates replace the transport's
    ///     roots.
    ///   - performDefaultValidation: Whether the chain has to be valid.
    ///   - validateHost: Whether the certificate has to match the host.
    public init(
        certificates: [ServerCertificate], acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) {
        pinned = certificates
        validation = TrustValidation(
            validatesChain: performDefaultValidation, validatesHost: validateHost,
            anchors: acceptSelfSignedCertificates ? certificates : nil)
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        guard validation.proven(of: certificates).contains(where: pinned.contains) else {
            throw ServerTrustError(
                "No certificate in \(host)'s chain is pinned. If the server's certificate was "
                    + "replaced, pin the new one. Otherwise, the connection may be intercepted.")
        }
    }
}

/// Trusts a server if its verified chain contains a pinned public key. See
/// ``PinnedCertificatesTrustEvaluator``.
///
/// Pin a second key that is not yet in use, for key rotation.
public struct PublicKeysTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation
    private let pinned: [ServerPublicKey]

    /// - Parameters:
    ///   - keys: The pinned keys. An empty list trusts no server.
    ///   - performDefaultValidation: Whether the chain has to be valid.
    ///   - validateHost: Whether the certificate has to match the host.
    public init(
        keys: [ServerPublicKey], performDefaultValidation: Bool = true, validateHost: Bool = true
    ) {
        pinned = keys
        validation = TrustValidation(
            validatesChain: performDefaultValidation, validatesHost: validateHost)
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        let proven = validation.proven(of: certificates)
        guard proven.compactMap(\.publicKey).contains(where: pinned.contains) else {
            throw ServerTrustError(
                "No key in \(host)'s certificate chain is pinned. If the server's key was "
                    + "replaced, pin the new one. Otherwise, the connection may be intercepted.")
        }
    }
}

/// Trusts a server if all of its evaluators do. If every evaluator that validates the chain has
/// custom roots, the roots that they have in common apply. Otherwise the transport's roots apply.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
    public let validation: TrustValidation
    private let evaluators: [any ServerTrustEvaluating]

    /// - Parameter evaluators: An empty list applies the transport's default validation.
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

    /// Returns the roots that all evaluators trust. `nil` is the transport's roots: an evaluator
    /// that relies on them must not accept another evaluator's roots. The other evaluator's
    /// `evaluate` still requires its certificates in the chain.
    private static func common(_ anchors: [[ServerCertificate]?]) -> [ServerCertificate]? {
        guard let first = anchors.first, let first, !anchors.contains(nil) else { return nil }
        return first.filter { root in anchors.allSatisfy { $0?.contains(root) == true } }
    }

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) throws {
        for evaluator in evaluators { try evaluator.evaluate(certificates, forHost: host) }
    }
}

/// Trusts every server, so that an attacker on the network can read and change all data. For tests
/// only.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
    public let validation = TrustValidation(validatesChain: false, validatesHost: false)

    /// Creates an evaluator. In a ``ServerTrustManager``, use it only for the host of the test.
    public init() {}

    public func evaluate(_ certificates: [ServerCertificate], forHost host: String) {}
}
