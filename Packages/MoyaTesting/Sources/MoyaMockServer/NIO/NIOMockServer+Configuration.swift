#if MockServer
    import Foundation
    import NIOSSL

    extension NIOMockServer {
        /// What a ``NIOMockServer`` speaks.
        public struct Configuration: Sendable {
            /// Versions of HTTP.
            public struct Protocols: OptionSet, Sendable {
                public let rawValue: Int
                public init(rawValue: Int) { self.rawValue = rawValue }

                /// HTTP/1.1 (RFC 9112).
                public static let http1 = Protocols(rawValue: 1 << 0)
                /// HTTP/2 (RFC 9113): by ALPN over TLS, by prior knowledge without.
                public static let http2 = Protocols(rawValue: 1 << 1)
            }

            /// Which certificate a server shows.
            public enum Certificate: Sendable, Equatable {
                /// One of the server's authority, for localhost and 127.0.0.1.
                case valid
                /// One whose time is over.
                case expired
                /// One whose time has not come.
                case notYetValid
                /// One for another host.
                case otherHost
                /// One of an unknown authority.
                case unknownAuthority
                /// One that no authority has signed.
                case selfSigned
            }

            /// How a server speaks TLS.
            public struct TLS: Sendable {
                /// Versions of TLS.
                public enum Version: Sendable {
                    /// TLS 1.2 (RFC 5246).
                    case tls12
                    /// TLS 1.3 (RFC 8446).
                    case tls13
                }

                /// Which certificate it shows.
                public var certificate: Certificate
                /// Whether a client has to show a certificate of the server's authority. See
                /// ``NIOMockServer/clientIdentity()``.
                public var requiresClientCertificate = false
                /// The newest version that is spoken.
                public var maximumVersion = Version.tls13

                /// TLS 1.2 and 1.3, with a certificate that clients trust once they are told of the server's
                /// authority.
                public init(
                    _ certificate: Certificate = .valid, requiresClientCertificate: Bool = false
                ) {
                    self.certificate = certificate
                    self.requiresClientCertificate = requiresClientCertificate
                }
            }

            /// The versions of HTTP that are spoken. The client chooses where there are several.
            public var protocols: Protocols
            /// How TLS is spoken. `nil` is not at all.
            public var tls: TLS?
            /// Seconds from when a connection is accepted until the server begins with it.
            public var handshakeDelay: TimeInterval = 0

            /// HTTP/1.1 and HTTP/2 in the clear, unless you say otherwise.
            public init(protocols: Protocols = [.http1, .http2], tls: TLS? = nil) {
                self.protocols = protocols
                self.tls = tls
            }
        }
    }

    extension NIOMockServer.Configuration {
        /// What NIOSSL needs to know.
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
            case .unknownAuthority: try MockAuthority(name: "Unknown Authority").serverIdentity()
            case .selfSigned: try MockAuthority.selfSignedIdentity()
            }
        }
    }
#endif
