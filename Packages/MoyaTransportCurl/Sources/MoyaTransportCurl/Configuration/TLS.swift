#if CURL
import MoyaCore
import MoyaInternals

extension CurlTransport.Configuration {
    /// TLS settings.
    public struct TLS: Sendable, Equatable {
        /// The source of trusted root certificates.
        public enum Trust: Sendable, Equatable {
            /// The system's certificates.
            case system
            /// The certificates in this PEM file, instead of the system's.
            case file(URL)
            /// The certificates in this PEM data, instead of the system's.
            case data(Data)
        }

        /// TLS versions.
        public enum Version: Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// A client certificate and its private key.
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

            /// A certificate with its intermediates and a key, in PEM files. Both may be in one
            /// file.
            public static func pem(
                certificate: URL, key: URL, password: String? = nil
            ) -> Identity {
                Identity(
                    kind: .pem(certificate: .file(certificate), key: .file(key)),
                    password: password)
            }

            /// A certificate with its intermediates and a key, as PEM data, such as from a secret
            /// store. Both may be in the same data. No file is written. A libcurl over GnuTLS reads
            /// files only, so that it is a ``CurlTransport/ConfigurationError`` there; so are data
            /// without a PEM certificate or key.
            public static func pem(
                certificate: Data, key: Data, password: String? = nil
            ) -> Identity {
                Identity(
                    kind: .pem(certificate: .data(certificate), key: .data(key)),
                    password: password)
            }

            /// A PKCS#12 file (RFC 7292) with a certificate and its key.
            public static func pkcs12(_ file: URL, password: String? = nil) -> Identity {
                Identity(kind: .pkcs12(.file(file)), password: password)
            }

            /// PKCS#12 data (RFC 7292) with a certificate and its key, such as from a secret store.
            /// No file is written. A libcurl over GnuTLS reads files only, so that it is a
            /// ``CurlTransport/ConfigurationError`` there; so are data that are not PKCS#12.
            public static func pkcs12(_ data: Data, password: String? = nil) -> Identity {
                Identity(kind: .pkcs12(.data(data)), password: password)
            }
        }

        /// The root certificates that servers and `https` proxies are verified with.
        public var trust = Trust.system
        /// Where the system's certificates are.
        var authorities = SystemAuthorities.installed
        /// The oldest TLS version for servers and `https` proxies. HTTP/3 uses at least TLS 1.3.
        public var minimumVersion = Version.tls12
        /// The cipher suites for TLS 1.2, in OpenSSL's notation. `nil` uses the TLS library's
        /// default.
        public var cipherSuites: String?
        /// The cipher suites for TLS 1.3, in OpenSSL's notation. `nil` uses the TLS library's
        /// default.
        public var tls13CipherSuites: String?
        /// The client certificate for servers that request one.
        public var identity: Identity?
        /// Whether the server has to staple an OCSP response showing that its certificate is not
        /// revoked (RFC 6066, section 8).
        public var requiresStapledStatus = false
        /// Pinned public keys for each host: SHA-256 of the SubjectPublicKeyInfo in Base64, as in
        /// RFC 7469. Add a backup key for key rotation. `*.example.com` matches one label before
        /// `example.com`; an exact entry takes precedence. A host without a pin, and a pin that is
        /// not a SHA-256 hash in Base64, are a ``CurlTransport/ConfigurationError``.
        public var pinnedKeys: [String: Set<String>] = [:]
        /// Evaluators of server certificates by host, applied in addition to ``pinnedKeys``.
        public var serverTrustManager: ServerTrustManager?
        /// Hosts whose certificates are not verified, so that an attacker on the network can read
        /// and change everything. For tests only.
        public var dangerouslyUnverifiedHosts: Set<String> = []

        /// The default settings: TLS 1.2 or later, the system's certificates, no pins.
        public init() {}

        /// The pins of `host`, in the form of `CURLOPT_PINNEDPUBLICKEY`. `nil` if the host has
        /// none.
        func pins(for host: String) -> String? {
            let found = HostName.find(host, in: pinnedKeys)
            return found.map { $0.sorted().map { "sha256//" + $0 }.joined(separator: ";") }
        }

        /// Whether the certificates of `host` are verified.
        func verifies(_ host: String) -> Bool {
            let host = HostName.canonical(host)
            return !dangerouslyUnverifiedHosts.contains { HostName.canonical($0) == host }
        }
    }
}

/// Location of the system's trusted certificates.
///
/// libcurl has the location compiled in. A statically linked program may run on a distribution that
/// has another one.
enum SystemAuthorities: Equatable {
    /// libcurl's own location.
    case libcurl
    /// A file of PEM certificates.
    case file(String)
    /// A folder of certificates named by subject hash.
    case folder(String)
    /// No certificates at any of these paths.
    case missing([String])

    /// Locations in common distributions.
    static let usualPlaces = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Alpine, Gentoo, NixOS
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // the same, not a link
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/var/lib/ca-certificates/ca-bundle.pem",
        "/etc/ca-certificates/extracted/tls-ca-bundle.pem",  // Arch
        "/etc/ssl/cert.pem",  // Alpine, BSDs
        "/etc/ssl/certs",
    ]

    static let installed = SystemAuthorities(CurlLibrary.authorities)

    /// Finds the location to use.
    ///
    /// - Parameters:
    ///   - own: libcurl's own locations. `nil` if libcurl does not report them.
    ///   - places: Further locations to try.
    init(_ own: [String]?, elsewhere places: [String] = usualPlaces) {
        guard let own, !own.contains(where: Self.holdsSome) else {
            self = .libcurl
            return
        }
        let place = places.first(where: Self.holdsSome)
        self =
            place.map { Self.isFolder($0) ? .folder($0) : .file($0) }
            ?? .missing(own + places.filter { !own.contains($0) })
    }

    /// Whether the path is a readable file, or a folder with certificates. An empty folder does not
    /// count.
    private static func holdsSome(_ path: String) -> Bool {
        let files = FileManager.default
        return isFolder(path)
            ? (try? files.contentsOfDirectory(atPath: path))?.contains(where: isHash) ?? false
            : files.isReadableFile(atPath: path)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// Whether `name` is a subject hash name, such as `4a6481c9.0`.
    private static func isHash(_ name: String) -> Bool {
        let parts = name.split(separator: ".")
        return parts.count == 2 && parts[0].count == 8 && UInt32(parts[0], radix: 16) != nil
    }

    /// Text added to the error for a certificate without a known authority. `nil` if certificates
    /// were found.
    var advice: String? {
        guard case .missing(let places) = self else { return nil }
        return "There are no certificates of authorities at \(places.joined(separator: ", ")). "
            + "Install those of the system, or name a file with tls.trust."
    }
}

// MARK: Descriptions, without passwords and keys

extension CurlTransport.Configuration.TLS.Identity.Source: CustomStringConvertible,
    CustomReflectable
{
    var description: String {
        switch self {
        case .file(let url): "\(url)"
        case .data: Redaction.mask
        }
    }

    var customMirror: Mirror { Mirror(reflecting: description) }
}

extension CurlTransport.Configuration.TLS.Identity: CustomStringConvertible, CustomReflectable {
    /// The files that hold the identity. Data and passwords are masked.
    public var description: String {
        "Identity(\(kind)\(password == nil ? "" : ", password: \(Redaction.mask)"))"
    }

    /// The values of `description`, for `dump` and debuggers. Data and passwords are masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["kind": kind, "password": password.map { _ in Redaction.mask } as Any],
            displayStyle: .struct)
    }
}
#endif
