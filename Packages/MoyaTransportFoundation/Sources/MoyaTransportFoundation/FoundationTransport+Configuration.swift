import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FoundationTransport {
    /// How a ``FoundationTransport`` connects.
    public struct Configuration: Sendable {
        /// Whose certificates are trusted.
        public enum Trust: Sendable {
            /// The system's.
            case system
            /// The certificates in this PEM file, in place of the system's. Not on Linux.
            case file(URL)
            /// The certificates in this PEM data, in place of the system's. Not on Linux.
            case data(Data)
        }

        /// Whose certificates are trusted.
        public var trust = Trust.system
        /// How many connections may be open to one host. Further requests wait.
        public var maxConnectionsPerHost = 64
        /// The `User-Agent` of requests that have none. `nil` leaves it to URLSession.
        public var userAgent: String?

        public init() {}
    }

    /// Why a configuration cannot be had with URLSession on this platform.
    public struct ConfigurationError: Error, LocalizedError, CustomStringConvertible {
        public let description: String
        public var errorDescription: String? { description }
    }
}

extension FoundationTransport.Configuration {
    func makeSessionConfiguration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = max(1, maxConnectionsPerHost)
        if let userAgent { configuration.httpAdditionalHeaders = ["User-Agent": userAgent] }
        return configuration
    }

    /// The certificates to trust in place of the system's, in PEM form.
    func anchors() throws(FoundationTransport.ConfigurationError) -> Data? {
        if case .system = trust { return nil }
        #if canImport(Security)
            switch trust {
            case .system: return nil
            case .data(let data): return data
            case .file(let url):
                guard let data = try? Data(contentsOf: url) else {
                    throw .init(description: "The certificate file \(url.path) cannot be read.")
                }
                return data
            }
        #else
            throw .init(
                description: "URLSession on this platform cannot trust certificates of your own. "
                    + "Use CurlTransport, or add them to the system's.")
        #endif
    }
}
