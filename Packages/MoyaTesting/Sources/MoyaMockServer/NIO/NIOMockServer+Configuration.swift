#if MockServer
    import Foundation
    import NIOSSL

    extension NIOMockServer {
        /// Protocols and TLS settings of a ``NIOMockServer``.
        public struct Configuration: Sendable {
            /// Versions of HTTP.
            public struct Protocols: OptionSet, Sendable {
                /// Bits of the set.
                public let rawValue: Int
                /// Creates a set from its bits.
                public init(rawValue: Int) { self.rawValue = rawValue }

                /// HTTP/1.1 (RFC 9112).
                public static let http1 = Protocols(rawValue: 1 << 0)
                /// HTTP/2 (RFC 9113). Selected by ALPN over TLS, and by prior knowledge without
                /// TLS.
                public static let http2 = Protocols(rawValue: 1 << 1)
            }

            /// Certificate of the server.
            public enum Certificate: Sendable, Equatable {
                /// Issued by the server's authority, for localhost and 127.0.0.1.
                case valid
                /// Expired.
                case expired
                /// Not yet valid.
                case notYetValid
                /// Issued for another host.
                case otherHost
                /// Issued for localhost, but without a subjectAltName: only the common name has the
                /// host, which does not count (RFC 9525, section 6.3).
                case commonName
                /// Issued by an unknown authority.
                case unknownAuthority
                /// Self-signed.
                case selfSigned
            }

            /// TLS settings.
            public struct TLS: Sendable {
                /// Versions of TLS.
                public enum Version: Sendable {
                    /// TLS 1.2 (RFC 5246).
                    case tls12
                    /// TLS 1.3 (RFC 8446).
                    case tls13
                }

                /// Certificate of the server.
                public var certificate: Certificate
                /// Whether clients need a certificate of the server's authority. See
                /// ``NIOMockServer/clientIdentity()``.
                public var requiresClientCertificate = false
                /// Newest supported version. The oldest is TLS 1.2.
                public var maximumVersion = Version.tls13

                /// Creates settings for TLS 1.2 and 1.3. Clients that trust
                /// ``NIOMockServer/authority`` accept the default certificate.
                public init(
                    _ certificate: Certificate = .valid, requiresClientCertificate: Bool = false
                ) {
                    self.certificate = certificate
                    self.requiresClientCertificate = requiresClientCertificate
                }
            }

            /// Supported versions of HTTP. The client chooses one of them.
            public var protocols: Protocols
            /// TLS settings. `nil` disables TLS.
            public var tls: TLS?

            /// Creates a configuration. The default is HTTP/1.1 and HTTP/2 without TLS.
            public init(protocols: Protocols = [.http1, .http2], tls: TLS? = nil) {
                self.protocols = protocols
                self.tls = tls
            }
        }
    }

    extension NIOMockServer.Configuration {
        /// Creates the TLS context. `nil` without TLS.
        func context(_ authority: MockAuthority) throws -> NIOSSLContext? {
            guard let tls else { return nil }
            let identity = try tls.certificate.identity(from: authority)
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate))
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(identity.key), format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            configuration.maximumTLSVersion = tls.maximumVersion == .tls12 ? .tlsv12 : .tlsv13
            configuration.applicationProtocols =
                (protocols.contains(.http2) ? ["h2"] : [])
                + (protocols.contains(.http1) ? ["http/1.1"] : [])
            if tls.requiresClientCertificate {
                configuration.certificateVerification = .noHostnameVerification
                configuration.trustRoots = .certificates(
                    try NIOSSLCertificate.fromPEMBytes(Array(authority.certificate)))
            }
            return try NIOSSLContext(configuration: configuration)
        }
    }

    extension NIOMockServer.Configuration.Certificate {
        fileprivate func identity(from authority: MockAuthority) throws -> MockIdentity {
            switch self {
            case .valid: try authority.serverIdentity()
            case .expired: try authority.serverIdentity(valid: -30 ... -2)
            case .notYetValid: try authority.serverIdentity(valid: 2...30)
            case .otherHost: try authority.serverIdentity(for: ["other.test"])
            case .commonName: try authority.commonNameIdentity()
            case .unknownAuthority: try MockAuthority(name: "Unknown Authority").serverIdentity()
            case .selfSigned: try MockAuthority.selfSignedIdentity()
            }
        }
    }
#endif
