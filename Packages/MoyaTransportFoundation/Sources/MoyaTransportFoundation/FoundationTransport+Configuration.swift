import Foundation
@_spi(MoyaInternals) import MoyaCore

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
        /// How many connections may be open to one host, at least 1. Further requests wait.
        public var maxConnectionsPerHost = 64
        /// How long a whole exchange may take, redirects included, in seconds. `nil` leaves it to the
        /// request's `timeoutInterval`, which bounds how long nothing may move.
        public var exchangeTimeout: TimeInterval?
        /// Header fields of requests that have none of that name.
        public var additionalHeaders: [String: String] = [:]
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
    /// Checks everything but the certificates.
    func validate() throws(FoundationTransport.ConfigurationError) {
        // URLSession on Linux ends the process on some numbers that libcurl refuses.
        guard (1...Int(Int32.max)).contains(maxConnectionsPerHost) else {
            throw .init(
                description:
                    "maxConnectionsPerHost is \(maxConnectionsPerHost). It must be at least 1.")
        }
        if let exchangeTimeout, !(exchangeTimeout > 0) {
            throw .init(
                description:
                    "exchangeTimeout is \(exchangeTimeout). It must be more than 0 seconds.")
        }
        do {
            try RequestValidation.validate(headers: headers)
        } catch {
            throw .init(description: error.description)
        }
    }

    /// The header fields to add.
    var headers: [String: String] {
        guard let userAgent else { return additionalHeaders }
        return additionalHeaders.filter { $0.key.lowercased() != "user-agent" }
            .merging(["User-Agent": userAgent]) { $1 }
    }

    func makeSessionConfiguration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // On Linux, cancelling while a cache is being asked ends the process.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = maxConnectionsPerHost
        return configuration
    }

    /// The certificates to trust in place of the system's.
    func anchors() throws(FoundationTransport.ConfigurationError) -> ServerTrust.Anchors? {
        let pem: Data
        switch trust {
        case .system: return nil
        case .data(let data): pem = data
        case .file(let url):
            guard let data = try? Data(contentsOf: url) else {
                throw .init(description: "The certificate file \(url.path) cannot be read.")
            }
            pem = data
        }
        return try ServerTrust.anchors(in: pem)
    }
}
