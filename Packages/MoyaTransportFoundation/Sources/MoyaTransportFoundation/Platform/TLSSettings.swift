#if !canImport(Security)
    import Foundation
    import FoundationNetworking
    import MoyaCore

    /// What a transport asks of TLS, which URLSession here cannot be told and its libcurl can.
    struct TLSSettings: Sendable {
        /// Whose certificates are trusted in place of the system's, in PEM form.
        private let authorities: Data?
        private let minimumVersion: FoundationTransport.Configuration.TLSVersion?

        init(
            authorities: Data?, minimumVersion: FoundationTransport.Configuration.TLSVersion? = nil
        ) {
            self.authorities = authorities
            self.minimumVersion = minimumVersion
        }

        /// What `configuration` asks. `nil` where that is what the system does anyway.
        ///
        /// - Throws: ``FoundationTransport/ConfigurationError`` where it is not `possible`, and for certificates that
        ///   cannot be read.
        init?(
            _ configuration: FoundationTransport.Configuration,
            possible isPossible: @autoclosure () -> Bool = Self.isPossible
        ) throws(FoundationTransport.ConfigurationError) {
            let hasTrust = if case .system = configuration.trust { false } else { true }
            guard hasTrust || configuration.minimumTLSVersion != nil else { return nil }
            guard isPossible() else {
                throw hasTrust
                    ? SessionPlatform.cannot(
                        "trust certificates of your own",
                        "Use CurlTransport, or add them to the system's.")
                    : SessionPlatform.cannot("bound the TLS version", "Use CurlTransport.")
            }
            authorities = try configuration.trust.pem
            minimumVersion = configuration.minimumTLSVersion
        }

        /// Whether there is a handle to set, and a libcurl that takes certificates from memory.
        static let isPossible: Bool = {
            guard ResponseGuard.isPossible else { return false }
            // Readies libcurl, which must not be done twice at once.
            _ = URLSession.shared
            let settings = Self(authorities: Data("-".utf8), minimumVersion: .tls12)
            return CurlHandle.trying { settings.apply(to: $0) } ?? false
        }()

        /// Returns whether all of it counts from now on.
        func apply(to handle: CurlHandle) -> Bool {
            authorities.map { handle.trust($0) } ?? true
                && minimumVersion.map { handle.setMinimum($0) } ?? true
        }
    }

    extension FoundationTransport.Configuration.Trust {
        fileprivate var pem: Data? {
            get throws(FoundationTransport.ConfigurationError) {
                switch self {
                case .system: return nil
                case .data(let data): return try Self.certificates(in: data)
                case .file(let url):
                    guard let data = try? Data(contentsOf: url) else {
                        throw .init(
                            description: "The certificate file \(url.path) cannot be read.")
                    }
                    return try Self.certificates(in: data)
                }
            }
        }

        /// The certificates alone: PEM files have other things too.
        private static func certificates(
            in pem: Data
        ) throws(FoundationTransport.ConfigurationError) -> Data {
            do throws(ServerTrustError) {
                let certificates = try ServerCertificate.certificates(pem: pem)
                return Data(certificates.map(\.pem).joined().utf8)
            } catch {
                throw .init(description: error.description)
            }
        }
    }
#endif
