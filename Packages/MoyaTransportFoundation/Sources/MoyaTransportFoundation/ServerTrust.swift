#if canImport(Security)
    import Foundation
    import Security

    /// The check of a server's certificate against certificates of the caller's.
    enum ServerTrust {
        static func isTrusted(_ trust: SecTrust, anchors: Data) -> Bool {
            let certificates = certificates(in: anchors)
            guard !certificates.isEmpty,
                SecTrustSetAnchorCertificates(trust, certificates as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
            else { return false }
            return SecTrustEvaluateWithError(trust, nil)
        }

        private static func certificates(in pem: Data) -> [SecCertificate] {
            String(decoding: pem, as: UTF8.self)
                .components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
                .compactMap { $0.components(separatedBy: "-----END CERTIFICATE-----").first }
                .compactMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
                .compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        }
    }
#endif
