#if canImport(Security)
    import Foundation
    import Security

    /// Judges the certificate of a server. By Alamofire's name.
    public protocol ServerTrustEvaluating: Sendable {
        /// - Throws: Why `trust` is not to be trusted for `host`.
        func evaluate(_ trust: SecTrust, forHost host: String) throws
    }

    /// Says who judges the certificate of which host. By Alamofire's name.
    public final class ServerTrustManager: Sendable {
        /// Whether a host without an evaluator is refused. Otherwise the system judges it.
        public let allHostsMustBeEvaluated: Bool
        /// Who judges, by host in lower case.
        public let evaluators: [String: any ServerTrustEvaluating]

        public init(
            allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]
        ) {
            self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
            self.evaluators = Dictionary(
                evaluators.map { ($0.lowercased(), $1) }, uniquingKeysWith: { first, _ in first })
        }

        /// Who judges `host`. `nil` leaves it to the system.
        ///
        /// - Throws: ``ServerTrustError`` where there has to be somebody and is nobody.
        public func serverTrustEvaluator(
            forHost host: String
        ) throws -> (any ServerTrustEvaluating)? {
            if let evaluator = evaluators[host.lowercased()] { return evaluator }
            guard !allHostsMustBeEvaluated else {
                throw ServerTrustError("No evaluator is there for \(host).")
            }
            return nil
        }
    }

    /// Why a certificate is not to be trusted.
    public struct ServerTrustError: Error, Sendable, LocalizedError, CustomStringConvertible {
        /// Why, in a sentence.
        public let description: String
        public var errorDescription: String? { description }

        init(_ description: String) {
            self.description = description
        }
    }

    /// Trusts what the system trusts, for the host alone.
    public struct DefaultTrustEvaluator: ServerTrustEvaluating {
        public init() {}

        public func evaluate(_ trust: SecTrust, forHost host: String) throws {
            let policy = SecPolicyCreateSSL(true, host as CFString)
            guard SecTrustSetPolicies(trust, policy) == errSecSuccess else {
                throw ServerTrustError("The policy for \(host) could not be set.")
            }
            var error: CFError?
            guard SecTrustEvaluateWithError(trust, &error) else {
                throw error.map { $0 as any Error }
                    ?? ServerTrustError("The certificate of \(host) is not trusted.")
            }
        }
    }

    /// Trusts what the system trusts and where a certificate of the chain is one of these.
    public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
        private let pinned: Set<Data>

        public init(certificates: [SecCertificate]) {
            pinned = Set(certificates.map { SecCertificateCopyData($0) as Data })
        }

        public func evaluate(_ trust: SecTrust, forHost host: String) throws {
            try DefaultTrustEvaluator().evaluate(trust, forHost: host)
            let served = trust.chain.map { SecCertificateCopyData($0) as Data }
            guard !pinned.isDisjoint(with: served) else {
                throw ServerTrustError("\(host) has none of the pinned certificates.")
            }
        }
    }

    /// Trusts what the system trusts and where a key of the chain is one of these.
    public struct PublicKeysTrustEvaluator: ServerTrustEvaluating {
        private let pinned: Set<Data>

        public init(keys: [SecKey]) {
            pinned = Set(keys.compactMap { SecKeyCopyExternalRepresentation($0, nil) as Data? })
        }

        public func evaluate(_ trust: SecTrust, forHost host: String) throws {
            try DefaultTrustEvaluator().evaluate(trust, forHost: host)
            let served = trust.chain.compactMap(SecCertificateCopyKey)
                .compactMap { SecKeyCopyExternalRepresentation($0, nil) as Data? }
            guard !pinned.isDisjoint(with: served) else {
                throw ServerTrustError("\(host) has none of the pinned keys.")
            }
        }
    }

    /// Trusts what certificates of the caller's have signed, in place of the system's.
    struct AnchorTrustEvaluator: ServerTrustEvaluating {
        private let anchors: [Data]

        init(pem: Data) throws(FoundationTransport.ConfigurationError) {
            anchors = String(decoding: pem, as: UTF8.self)
                .components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
                .compactMap { $0.components(separatedBy: "-----END CERTIFICATE-----").first }
                .compactMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
            guard !anchors.isEmpty else {
                throw .init(description: "The certificate data holds no certificate in PEM form.")
            }
        }

        func evaluate(_ trust: SecTrust, forHost host: String) throws {
            let certificates = anchors.compactMap {
                SecCertificateCreateWithData(nil, $0 as CFData)
            }
            guard !certificates.isEmpty,
                SecTrustSetAnchorCertificates(trust, certificates as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
            else { throw ServerTrustError("The transport's certificates cannot be used.") }
            try DefaultTrustEvaluator().evaluate(trust, forHost: host)
        }
    }

    extension SecTrust {
        fileprivate var chain: [SecCertificate] {
            SecTrustCopyCertificateChain(self) as? [SecCertificate] ?? []
        }
    }
#else
    /// URLSession on Linux does not show a server's certificate to anybody.
    @available(
        *, unavailable,
        message:
            "URLSession on Linux cannot ask about certificates. Use CurlTransport and its trust."
    )
    public final class ServerTrustManager: Sendable {}
#endif
