import CCurl
import Foundation

extension CurlTransport {
    /// How a ``CurlTransport`` connects.
    public struct Configuration: Sendable {
        /// Which protocol versions are spoken.
        public enum HTTPVersion: Sendable {
            /// HTTP/2 over TLS where the server offers it (ALPN), HTTP/1.1 otherwise.
            case automatic
            /// HTTP/1.1 alone.
            case http1
            /// HTTP/2 without asking, over TLS and in the clear (RFC 9113, section 3.3).
            case http2PriorKnowledge
        }

        /// Whose certificates are trusted.
        public enum Trust: Sendable {
            /// The system's.
            case system
            /// The certificates in this PEM file, in place of the system's.
            case file(URL)
            /// The certificates in this PEM data, in place of the system's.
            case data(Data)
        }

        /// The oldest TLS version that is spoken.
        public enum TLSVersion: Sendable {
            case tls12
            case tls13
        }

        /// Which protocol versions are spoken.
        public var httpVersion = HTTPVersion.automatic
        /// Whose certificates are trusted.
        public var trust = Trust.system
        /// The oldest TLS version that is spoken.
        public var minimumTLSVersion = TLSVersion.tls12
        /// How long connecting may take, TLS included, in seconds.
        public var connectTimeout: TimeInterval = 30
        /// How long a whole exchange may take, in seconds. `nil` leaves it to the request's
        /// `timeoutInterval`, which bounds how long nothing may move.
        public var exchangeTimeout: TimeInterval?
        /// How many connections may be open to one host. Further requests wait. 0 is no limit.
        public var maxConnectionsPerHost = 0
        /// How many connections may be open in all. Further requests wait. 0 is no limit.
        public var maxConnections = 0
        /// How many idle connections are kept for reuse.
        public var maxIdleConnections = 256
        /// How long an idle connection is kept, in seconds.
        public var idleTimeout: TimeInterval = 118
        /// The `User-Agent` of requests that have none.
        public var userAgent = "Moya libcurl"
        /// Whether `http_proxy`, `https_proxy` and `no_proxy` of the environment are obeyed.
        public var usesEnvironmentProxies = false

        public init() {}
    }

    /// Why a configuration cannot be had with the libcurl that is installed.
    public struct ConfigurationError: Error, LocalizedError, CustomStringConvertible {
        public let description: String
        public var errorDescription: String? { description }
    }
}

extension CurlTransport.Configuration {
    /// Checks this configuration against the libcurl that is installed.
    func validate() throws(CurlTransport.ConfigurationError) {
        try CurlLibrary.load()
        if case .http2PriorKnowledge = httpVersion, !CurlLibrary.hasHTTP2 {
            throw .init(
                description:
                    "\(CurlLibrary.name) is built without HTTP/2. Use .automatic or .http1.")
        }
        switch trust {
        case .system: break
        case .file(let url):
            guard url.isFileURL, FileManager.default.isReadableFile(atPath: url.path) else {
                throw .init(description: "The certificate file \(url.path) cannot be read.")
            }
        case .data(let data):
            guard CurlLibrary.version >= 0x074D00 else {
                throw .init(
                    description:
                        "\(CurlLibrary.name) takes certificates from files alone. Use .file.")
            }
            guard data.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil else {
                throw .init(description: "The certificate data holds no certificate in PEM form.")
            }
        }
    }
}

/// The libcurl this process runs with.
enum CurlLibrary {
    private static let initialization = moya_global_init()
    private static var info: curl_version_info_data { moya_version_info().pointee }

    /// Makes libcurl ready, once for the process.
    static func load() throws(CurlTransport.ConfigurationError) {
        guard initialization == CURLE_OK else {
            throw .init(
                description: "libcurl cannot be used: \(CurlError(initialization).message).")
        }
    }

    static var version: UInt32 { info.version_num }
    static var name: String { "libcurl " + (info.version.map { String(cString: $0) } ?? "") }
    static var hasHTTP2: Bool { info.features & CURL_VERSION_HTTP2 != 0 }
}
