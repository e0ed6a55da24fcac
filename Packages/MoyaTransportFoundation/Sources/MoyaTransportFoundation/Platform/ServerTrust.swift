#if canImport(Security)
    import Foundation
    import MoyaCore
    import Security

    extension ServerTrustEvaluating {
        /// Judges what URLSession shows of a server: first what the system validates, then the evaluator.
        ///
        /// - Throws: Why `trust` is not to be trusted for `host`.
        func evaluate(_ trust: SecTrust, forHost host: String) throws {
            try trust.validate(validation, forHost: host)
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
            // Without validation nothing is known of those after the server's own.
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
                // The host's name is part of the chain's validation, and cannot be had without it.
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

        /// With the server's own certificate as its root, nothing but the name is left to check.
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
        /// The certificate as Security has it.
        public init(_ certificate: SecCertificate) {
            self.init(der: SecCertificateCopyData(certificate) as Data)
        }
    }

    extension PinnedCertificatesTrustEvaluator {
        /// Takes the certificates as Security has them.
        ///
        /// - Parameters:
        ///   - certificates: The certificates that are trusted. With none, nothing is.
        ///   - acceptSelfSignedCertificates: Whether they are roots themselves, in place of the transport's.
        ///   - performDefaultValidation: Whether the chain has to be valid besides.
        ///   - validateHost: Whether the certificate has to be for the host.
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
        /// Takes the keys as Security has them. With a key that cannot be read, no server is trusted.
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
