#if MockServer
    import Crypto
    import Foundation
    import MoyaInternals
    import SwiftASN1
    import X509

    /// A certificate and its private key, in PEM (RFC 7468).
    public struct MockIdentity: Sendable {
        /// The certificate.
        public let certificate: Data
        /// The private key.
        public let key: Data

        /// Writes both into new files in `folder`, for libraries that read files.
        public func write(to folder: URL) throws -> (certificate: URL, key: URL) {
            let name = RandomID.uuid().uuidString
            let files = (
                certificate: folder.appendingPathComponent("\(name).crt"),
                key: folder.appendingPathComponent("\(name).key")
            )
            try certificate.write(to: files.certificate)
            try key.write(to: files.key)
            return files
        }
    }

    /// A certificate authority for tests. Clients trust it only if they are configured to.
    public struct MockAuthority: Sendable {
        /// Root certificate in PEM, for the clients' trust settings.
        public let certificate: Data
        private let name: DistinguishedName
        private let key: Certificate.PrivateKey

        /// Creates an authority with a new key.
        init(name: String = "Mock Authority") throws {
            let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
            let subject = try DistinguishedName { CommonName(name) }
            self.key = key
            self.name = subject
            let root = try Self.certificate(
                for: key.publicKey, subject: subject, issuer: subject, signedBy: key,
                valid: -1...365,
                Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    SubjectKeyIdentifier(hash: key.publicKey)
                })
            certificate = try Self.pem(root)
        }

        /// Issues a server certificate.
        ///
        /// - Parameters:
        ///   - hosts: Host names and IPv4 addresses of the certificate.
        ///   - days: Validity period, in days from now.
        func serverIdentity(
            for hosts: [String] = ["localhost", "127.0.0.1"], valid days: ClosedRange<Int> = -1...30
        ) throws -> MockIdentity {
            try issue(hosts.first ?? "", hosts: hosts, valid: days, usage: .serverAuth, signs: nil)
        }

        /// Issues a server certificate that has its host in the common name alone.
        func commonNameIdentity(for host: String = "localhost") throws -> MockIdentity {
            try issue(host, hosts: [], valid: -1...30, usage: .serverAuth, signs: nil)
        }

        /// Creates a self-signed server certificate.
        static func selfSignedIdentity(
            for hosts: [String] = ["localhost", "127.0.0.1"]
        ) throws -> MockIdentity {
            let authority = try MockAuthority(name: hosts.first ?? "")
            return try authority.issue(
                hosts.first ?? "", hosts: hosts, valid: -1...30, usage: .serverAuth,
                signs: authority.key)
        }

        /// Issues a client certificate.
        func clientIdentity(name: String = "client") throws -> MockIdentity {
            try issue(name, hosts: [], valid: -1...30, usage: .clientAuth, signs: nil)
        }

        private func issue(
            _ subject: String, hosts: [String], valid days: ClosedRange<Int>,
            usage: ExtendedKeyUsage.Usage, signs ownKey: Certificate.PrivateKey?
        ) throws -> MockIdentity {
            let subjectKey = ownKey ?? Certificate.PrivateKey(P256.Signing.PrivateKey())
            let usages = try ExtendedKeyUsage([usage])
            let leaf = try Self.certificate(
                for: subjectKey.publicKey,
                subject: try DistinguishedName { CommonName(subject) }, issuer: name,
                signedBy: key, valid: days,
                Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    usages
                    if !hosts.isEmpty { SubjectAlternativeNames(hosts.map(Self.name)) }
                })
            return MockIdentity(
                certificate: try Self.pem(leaf),
                key: Data(try subjectKey.serializeAsPEM().pemString.utf8))
        }

        private static func name(of host: String) -> GeneralName {
            let bytes = host.split(separator: ".").compactMap { UInt8($0) }
            guard bytes.count == 4 else { return .dnsName(host) }
            return .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
        }

        private static func pem(_ certificate: Certificate) throws -> Data {
            Data((try certificate.serializeAsPEM().pemString + "\n").utf8)
        }

        private static func certificate(
            for publicKey: Certificate.PublicKey, subject: DistinguishedName,
            issuer: DistinguishedName, signedBy key: Certificate.PrivateKey,
            valid days: ClosedRange<Int>, _ extensions: Certificate.Extensions
        ) throws -> Certificate {
            let day: TimeInterval = 24 * 60 * 60
            return try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
                notValidBefore: Date(timeIntervalSinceNow: Double(days.lowerBound) * day),
                notValidAfter: Date(timeIntervalSinceNow: Double(days.upperBound) * day),
                issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: extensions, issuerPrivateKey: key)
        }
    }
#endif
