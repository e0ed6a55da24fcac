#if canImport(Security)
    import Foundation
    import MoyaCore
    import Security

    /// URLSession features that are specific to Apple platforms.
    struct SessionPlatform: Sendable {
        /// Memory cost of each piece of a body, in bytes. 1 sets no practical limit.
        static let bytesPerPiece = 1

        private(set) var evaluator: (any ServerTrustEvaluating)?
        private(set) var manager: ServerTrustManager?
        private(set) var clientCertificate: URLCredential?
        private var assumesHTTP3 = false
        private(set) var backgroundIdentifier: String?

        /// Whether URLSession applies the session's timeout to requests with the default timeout.
        /// On Apple platforms, the shorter one applies.
        let hasOwnTimeout = false
        /// Whether the session continues while the app is suspended.
        var isInBackground: Bool { backgroundIdentifier != nil }

        init() {}

        /// - Throws: ``FoundationTransport/ConfigurationError`` for certificates that cannot be
        ///   read.
        init(
            _ configuration: FoundationTransport.Configuration
        ) throws(FoundationTransport.ConfigurationError) {
            clientCertificate = configuration.clientCertificate
            assumesHTTP3 = configuration.assumesHTTP3
            backgroundIdentifier = configuration.backgroundIdentifier
            switch configuration.trust {
            case .system: break
            case .data(let data): evaluator = try Self.anchored(in: data)
            case .file(let url):
                guard let data = try? Data(contentsOf: url) else {
                    throw .init(
                        description: "trust's certificate file \(url.path) cannot be read. Check "
                            + "the path and the permissions.")
                }
                evaluator = try Self.anchored(in: data)
            }
        }

        /// Returns an evaluator whose roots are the certificates in `pem`.
        private static func anchored(
            in pem: Data
        ) throws(FoundationTransport.ConfigurationError) -> any ServerTrustEvaluating {
            do {
                let roots = try ServerCertificate.certificates(pem: pem)
                return AnchoredTrustEvaluator(validation: TrustValidation(anchors: roots))
            } catch {
                throw .init(description: "\(error)")
            }
        }

        private struct AnchoredTrustEvaluator: ServerTrustEvaluating {
            let validation: TrustValidation
            func evaluate(_ certificates: [ServerCertificate], forHost host: String) {}
        }

        /// - Throws: ``FoundationTransport/ConfigurationError`` for a background session.
        init(
            checking configuration: URLSessionConfiguration, manager: ServerTrustManager? = nil
        ) throws(FoundationTransport.ConfigurationError) {
            self.manager = manager
            if configuration.identifier != nil {
                throw .init(
                    description:
                        "A background session has limits of its own. Use FoundationTransport with a "
                        + "backgroundIdentifier in its configuration, and see there.")
            }
        }

        func configure(
            _ session: URLSessionConfiguration, as configuration: FoundationTransport.Configuration
        ) {
            session.waitsForConnectivity = configuration.waitsForConnectivity
            switch configuration.minimumTLSVersion {
            case nil: break
            case .tls12: session.tlsMinimumSupportedProtocolVersion = .TLSv12
            case .tls13: session.tlsMinimumSupportedProtocolVersion = .TLSv13
            }
            switch configuration.proxy {
            case .system: break
            case .none: session.connectionProxyDictionary = [:]
            case .http(let host, let port):
                // Literal keys, because some of the constants exist on macOS only.
                session.connectionProxyDictionary = [
                    "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
                    "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
                ]
            }
        }

        func hasCache(_ session: URLSessionConfiguration) -> Bool { session.urlCache != nil }

        func adapt(_ session: URLSessionConfiguration) {}

        /// Does nothing: URLSession stores the cookies.
        func keepCookies(of response: HTTPURLResponse, to request: URLRequest) {}

        /// Does nothing: URLSession validates responses.
        func check(_ response: HTTPURLResponse, to request: URLRequest) throws(URLError) {}

        func invalidate(_ session: URLSession) { session.invalidateAndCancel() }

        func adapt(_ request: inout URLRequest) throws(URLError) {
            if assumesHTTP3 { request.assumesHTTP3Capable = true }
        }

        /// Returns `nil` for the session's default queue: URLSession stops reading while its
        /// delegate is busy.
        func makeDelegateQueue() -> OperationQueue? { nil }

        func makeUploadTask(
            _ request: URLRequest, _ file: URL, length: Int64, on session: URLSession
        ) -> URLSessionTask {
            session.uploadTask(with: request, fromFile: file)
        }

        func makeSuspend(for task: URLSessionTask) -> (@Sendable (Bool) -> Void)? {
            { isSuspended in if isSuspended { task.suspend() } else { task.resume() } }
        }
    }
#endif
