#if canImport(Security)
    import Foundation
    import MoyaCore
    import Security

    extension ServerTrustEvaluating {
        /// Evaluates a server's trust: first the system's validation, then the evaluator.
        ///
        /// - Throws: The reason why `trust` is rejected for `host`.
        func evaluate(_ trust: SecTrust, forHost host: String) throws {
            try trust.validate(validation, forHost: host)
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
            // Without chain validation, only the server's certificate is authenticated.
            let verified = validation.validatesChain ? chain.count : 1
            try evaluate(chain.prefix(verified).map { ServerCertificate($0) }, forHost: host)
        }
    }

    extension SecTrust {
        fileprivate func validate(_ validation: TrustValidation, forHost host: String) throws {
            var policies = [
                validation.validatesHost
                    ? SecPolicyCreateSSL(true, host as CFString) : SecPolicyCreateSSL(true, nil)
            ]
            if validation.checksRevocation {
                let flags =
                    kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse
                guard let revocation = SecPolicyCreateRevocation(flags) else {
                    throw ServerTrustError("The policy for revocation could not be made.")
                }
                policies.append(revocation)
            }
            guard SecTrustSetPolicies(self, policies as CFArray) == errSecSuccess else {
                throw ServerTrustError("The policy for \(host) could not be set.")
            }
            if let anchors = validation.anchors { try setAnchors(anchors) }
            guard validation.validatesChain else {
                // SecTrust validates the host name only as a part of chain validation.
                guard !validation.validatesHost else { return try validateHostAlone(host) }
                return
            }
            var error: CFError?
            guard SecTrustEvaluateWithError(self, &error) else {
                throw error.map { $0 as any Error }
                    ?? ServerTrustError("The certificate of \(host) is not trusted.")
            }
        }

        private func setAnchors(_ anchors: [ServerCertificate]) throws {
            let certificates = anchors.compactMap {
                SecCertificateCreateWithData(nil, $0.der as CFData)
            }
            guard certificates.count == anchors.count, !certificates.isEmpty,
                SecTrustSetAnchorCertificates(self, certificates as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(self, true) == errSecSuccess
            else { throw ServerTrustError("The certificates of the evaluator cannot be used.") }
        }

        /// Validates only the host name, by making the server's certificate its own root.
        private func validateHostAlone(_ host: String) throws {
            let chain = SecTrustCopyCertificateChain(self) as? [SecCertificate] ?? []
            try setAnchors(chain.prefix(1).map { ServerCertificate($0) })
            var error: CFError?
            guard SecTrustEvaluateWithError(self, &error) else {
                throw error.map { $0 as any Error }
                    ?? ServerTrustError("The certificate is not for \(host).")
            }
        }
    }

    extension ServerCertificate {
        /// Creates a certificate from Security's type.
        public init(_ certificate: SecCertificate) {
            self.init(der: SecCertificateCopyData(certificate) as Data)
        }
    }

    extension PinnedCertificatesTrustEvaluator {
        /// Creates an evaluator from Security's certificates.
        ///
        /// - Parameters:
        ///   - certificates: Trusted certificates. An empty array trusts no server.
        ///   - acceptSelfSignedCertificates: Whether the certificates replace the transport's
        ///     roots. `false` by default.
        ///   - performDefaultValidation: Whether the chain must be valid as well. `true` by
        ///     default.
        ///   - validateHost: Whether the certificate must match the host. `true` by default.
        public init(
            certificates: [SecCertificate], acceptSelfSignedCertificates: Bool = false,
            performDefaultValidation: Bool = true, validateHost: Bool = true
        ) {
            self.init(
                certificates: certificates.map { ServerCertificate($0) },
                acceptSelfSignedCertificates: acceptSelfSignedCertificates,
                performDefaultValidation: performDefaultValidation, validateHost: validateHost)
        }
    }

    extension PublicKeysTrustEvaluator {
        /// Creates an evaluator from Security's keys. Keys that cannot be exported are ignored. An
        /// evaluator without keys trusts no server.
        ///
        /// - Parameters:
        ///   - keys: Trusted public keys.
        ///   - performDefaultValidation: Whether the chain must be valid as well. `true` by
        ///     default.
        ///   - validateHost: Whether the certificate must match the host. `true` by default.
        public init(
            keys: [SecKey], performDefaultValidation: Bool = true, validateHost: Bool = true
        ) {
            let bits = keys.compactMap { SecKeyCopyExternalRepresentation($0, nil) as Data? }
            self.init(
                keys: bits.map { ServerPublicKey(bits: $0) },
                performDefaultValidation: performDefaultValidation, validateHost: validateHost)
        }
    }
#endif
