#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer
    import MoyaTestSupport
    import MoyaTransportCurl

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Combinations of HTTP version and TLS between a server and a client.
    enum Flavor: CaseIterable {
        case http1, http2, http1OverTLS, http2OverTLS

        static let http2Flavors = [Flavor.http2, .http2OverTLS]
        /// Flavors in which every libcurl version reuses connections.
        static let reusing = [Flavor.http1, .http1OverTLS, .http2OverTLS]
        static let tlsFlavors = [Flavor.http1OverTLS, .http2OverTLS]

        var isHTTP2: Bool { self == .http2 || self == .http2OverTLS }
        var isTLS: Bool { self == .http1OverTLS || self == .http2OverTLS }

        func server(
            _ handler: @escaping NIOMockServer.Handler = MockServer.httpbin
        ) throws -> NIOMockServer {
            try NIOMockServer(.init(tls: isTLS ? .init() : nil), handler: handler)
        }

        /// Folder for certificates, which transports read when they connect.
        private static let identities = Result { try TemporaryFolder() }

        /// Returns a client that trusts `server` and uses this flavor.
        func client(
            of server: NIOMockServer, identity: MockIdentity? = nil
        ) throws -> CurlTransport {
            var configuration = CurlTransport.Configuration()
            configuration.connectTimeout = 120
            configuration.tls.trust = .data(server.authority.certificate)
            switch self {
            case .http1, .http1OverTLS: configuration.httpVersion = .http1
            case .http2: configuration.httpVersion = .http2PriorKnowledge
            case .http2OverTLS: configuration.httpVersion = .automatic
            }
            if let identity {
                let files = try identity.write(to: Self.identities.get().url)
                configuration.tls.identity = .pem(certificate: files.certificate, key: files.key)
            }
            return try CurlTransport(configuration: configuration)
        }
    }

    extension NIOMockServer {
        /// Returns a request for `path` on this server.
        func request(
            _ method: String = "GET", _ path: String = "/", headers: [String: String] = [:],
            body: Data? = nil, timeout: TimeInterval = 120
        ) throws -> TransportRequest {
            guard let url = URL(string: url.absoluteString + path) else {
                throw URLError(.badURL)
            }
            var request = URLRequest(url: url)
            request.httpMethod = method
            request.allHTTPHeaderFields = headers
            request.timeoutInterval = timeout
            return TransportRequest(request, body: body.map { .data($0) })
        }
    }

    extension TransportResponse {
        var bytes: Data {
            if case .data(let data) = body { data } else { Data() }
        }
    }
#endif
