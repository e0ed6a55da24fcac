#if CURL
import Foundation
import MoyaCore
import MoyaInternals

extension CurlTransport.Configuration {
    /// What is asked of a server before it is trusted, and what it is told.
    public struct TLS: Sendable, Equatable {
        /// Whose certificates are trusted.
        public enum Trust: Sendable, Equatable {
            /// The system's.
            case system
            /// The certificates in this PEM file, in place of the system's.
            case file(URL)
            /// The certificates in this PEM data, in place of the system's.
            case data(Data)
        }

        /// Versions of TLS.
        public enum Version: Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// A certificate that tells the server who calls, with its private key.
        public struct Identity: Sendable, Equatable {
            enum Kind: Equatable {
                case pem(certificate: Source, key: Source)
                case pkcs12(Source)
            }

            enum Source: Equatable {
                case file(URL)
                case data(Data)
            }

            let kind: Kind
            let password: String?

            /// A certificate (and those between it and the root) and a key, in PEM files. They may be one.
            public static func pem(
                certificate: URL, key: URL, password: String? = nil
            ) -> Identity {
                Identity(
                    kind: .pem(certificate: .file(certificate), key: .file(key)),
                    password: password)
            }

            /// A certificate (and those between it and the root) and a key, in PEM form, from a store of secrets for
            /// example. They may be one. No file is written. With a libcurl over GnuTLS, which takes files alone, they
            /// are a ``CurlTransport/ConfigurationError``, and so is what holds no such thing.
            public static func pem(
                certificate: Data, key: Data, password: String? = nil
            ) -> Identity {
                Identity(
                    kind: .pem(certificate: .data(certificate), key: .data(key)),
                    password: password)
            }

            /// A PKCS#12 file (RFC 7292).
            public static func pkcs12(_ file: URL, password: String? = nil) -> Identity {
                Identity(kind: .pkcs12(.file(file)), password: password)
            }

            /// What a PKCS#12 file holds (RFC 7292), from a store of secrets for example. No file is written. With a
            /// libcurl over GnuTLS, which takes files alone, it is a ``CurlTransport/ConfigurationError``, and so is what
            /// is none.
            public static func pkcs12(_ data: Data, password: String? = nil) -> Identity {
                Identity(kind: .pkcs12(.data(data)), password: password)
            }
        }

        /// Whose certificates are trusted.
        public var trust = Trust.system
        /// Where the system's certificates are.
        var authorities = SystemAuthorities.installed
        /// The oldest version that is spoken to servers and proxies. HTTP/3 speaks TLS 1.3 at least.
        public var minimumVersion = Version.tls12
        /// The cipher suites for TLS 1.2, in OpenSSL's notation. `nil` are the library's own.
        public var cipherSuites: String?
        /// The cipher suites for TLS 1.3, in OpenSSL's notation. `nil` are the library's own.
        public var tls13CipherSuites: String?
        /// Who calls, for servers that ask.
        public var identity: Identity?
        /// Whether a server has to prove with its certificate that the certificate has not been revoked
        /// (RFC 6066, section 8).
        public var requiresStapledStatus = false
        /// The public keys that a host's certificate may have: SHA-256 of the SubjectPublicKeyInfo, in
        /// Base64, as in RFC 7469. Name a second one, which is not in use, for the day of change.
        /// `*.example.com` stands for one label before `example.com`. A host's own entry counts before it. A host
        /// without a key, or with what is no such hash, is a ``CurlTransport/ConfigurationError``.
        public var pinnedKeys: [String: Set<String>] = [:]
        /// Who judges the certificates of which host, besides ``pinnedKeys``.
        public var serverTrustManager: ServerTrustManager?
        /// Hosts whose certificates are not checked: an attacker on the way may read and change everything.
        /// For tests alone.
        public var dangerouslyUnverifiedHosts: Set<String> = []

        /// TLS 1.2 and newer, with the certificates that the system trusts, and nothing pinned.
        public init() {}

        /// The pins of `host`, as libcurl takes them. `nil` for none.
        func pins(for host: String) -> String? {
            let found = HostName.find(host, in: pinnedKeys)
            return found.map { $0.sorted().map { "sha256//" + $0 }.joined(separator: ";") }
        }

        func verifies(_ host: String) -> Bool {
            let host = HostName.canonical(host)
            return !dangerouslyUnverifiedHosts.contains { HostName.canonical($0) == host }
        }
    }
}
#endif
