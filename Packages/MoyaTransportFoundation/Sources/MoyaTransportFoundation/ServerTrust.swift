import Foundation

#if canImport(Security)
    import Security
#endif

/// The check of a server's certificate against certificates of the caller's.
enum ServerTrust {
    /// Certificates in PEM form.
    struct Anchors: Sendable {
        let pem: Data
    }

    /// - Throws: For data without a certificate, and wherever URLSession does not ask about servers.
    static func anchors(in pem: Data) throws(FoundationTransport.ConfigurationError) -> Anchors {
        #if canImport(Security)
            guard !certificates(in: pem).isEmpty else {
                throw .init(
                    description: "The certificate data holds no certificate in PEM form.")
            }
            return Anchors(pem: pem)
        #else
            throw .init(
                description: "URLSession on this platform cannot trust certificates of your own. "
                    + "Use CurlTransport, or add them to the system's.")
        #endif
    }

    #if canImport(Security)
        static func isTrusted(_ trust: SecTrust, anchors: Anchors) -> Bool {
            let certificates = certificates(in: anchors.pem)
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
    #endif
}
