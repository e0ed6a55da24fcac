#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer

    extension TransportConformance {
        /// What a transport for a ``SecureCase`` has to be made with.
        public struct Requirements: Sendable {
            /// Whom to trust, as certificates in PEM. `nil` is whom the system trusts.
            public var authority: Data?
            /// What to show a server that asks who calls.
            public var identity: MockIdentity?
            /// Whether HTTP/2 is spoken where the server offers it. HTTP/1.1 alone otherwise, which is then all that
            /// the server offers, for transports that cannot be told.
            public var allowsHTTP2 = true
        }

        /// One behaviour over TLS, by a transport that is made for it.
        public struct SecureCase: Sendable, CustomStringConvertible {
            /// The behaviour, as a sentence.
            public let name: String
            /// Whether the transport has to be one that trusts an authority of the case's.
            public let needsAuthority: Bool
            private let server: NIOMockServer.Configuration
            private let version: Version
            /// Whether the case asserts how many connections there are. Such a case is sent whole. In pieces, the last frame
            /// of a response, which may be empty and not needed to complete it, arrives as part of a TLS record first. libcurl
            /// before 8.2.0 takes an idle HTTP/2 connection with such a part for dead (`http2_connisalive` in
            /// `lib/http2.c`), and opens another one for the next request.
            private let countsConnections: Bool
            private let body: @Sendable (Setting) async throws -> Void

            enum Version: String, CaseIterable {
                case http1 = "HTTP/1.1"
                case http2 = "HTTP/2"
            }

            init(
                _ name: String, over version: Version = .http2,
                server: NIOMockServer.Configuration = .init(tls: .init()),
                needsAuthority: Bool = true, countsConnections: Bool = false,
                _ body: @escaping @Sendable (Setting) async throws -> Void
            ) {
                self.name = name
                self.version = version
                var server = server
                if version == .http1 { server.protocols = .http1 }
                self.server = server
                self.needsAuthority = needsAuthority
                self.countsConnections = countsConnections
                self.body = body
            }

            public var description: String { name }

            /// Shows the behaviour.
            ///
            /// - Parameters:
            ///   - foldingFields: As in ``Case/run(on:foldingFields:)``.
            ///   - makeTransport: Makes a transport that does as the requirements say.
            /// - Throws: ``Failure`` where the transport behaves otherwise, takes too long, or throws where it had to
            ///   succeed; `CancellationError`; what making a transport throws.
            public func run(
                foldingFields: Bool = true,
                making makeTransport: @escaping @Sendable (Requirements) throws -> any Transport
            ) async throws {
                let server = try NIOMockServer(
                    server,
                    delivery: countsConnections
                        ? nil : CaseDelivery.of(name, foldsFields: foldingFields))
                defer { server.stop() }
                let setting = Setting(
                    server: server, version: version,
                    authority: needsAuthority ? server.authority.certificate : nil,
                    makeTransport: makeTransport)
                try await Case(name) { _ in try await body(setting) }.run(on: setting.transport())
            }
        }

        /// What a secure case has to do with.
        struct Setting: Sendable {
            let server: NIOMockServer
            let version: SecureCase.Version
            fileprivate let authority: Data?
            fileprivate let makeTransport: @Sendable (Requirements) throws -> any Transport

            func transport(identity: MockIdentity? = nil) throws -> any Transport {
                try makeTransport(
                    Requirements(
                        authority: authority, identity: identity, allowsHTTP2: version == .http2))
            }

            func request(
                _ method: String = "GET", _ path: String = "/get", body: RequestBody? = nil,
                timeout: TimeInterval = 600
            ) throws -> TransportRequest {
                guard let url = URL(string: server.url.absoluteString + path) else {
                    throw URLError(.badURL)
                }
                var request = URLRequest(url: url)
                request.httpMethod = method
                request.timeoutInterval = timeout
                return TransportRequest(request, body: body)
            }
        }

        /// What every transport has to do over TLS, in HTTP/1.1 and HTTP/2. Needs the trait `MockServer`.
        ///
        /// ```swift
        /// @Test(arguments: TransportConformance.secureCases)
        /// func conforms(to behaviour: TransportConformance.SecureCase) async throws {
        ///     try await behaviour.run { try MyTransport(trusting: $0.authority) }
        /// }
        /// ```
        ///
        /// A transport that cannot be told whom to trust runs those that ``SecureCase/needsAuthority`` excepts.
        public static let secureCases: [SecureCase] =
            certificateCases + handshakeCases + SecureCase.Version.allCases.flatMap(messageCases)
            + SecureCase.Version.allCases.flatMap(lossCases) + http2Cases
    }
#endif
