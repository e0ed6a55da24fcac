#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer

    extension TransportConformance {
        /// Settings that a transport for a ``SecureCase`` needs.
        public struct Requirements: Sendable {
            /// Certificates of trusted authorities, in PEM. `nil` trusts the system's authorities.
            public var authority: Data?
            /// Client certificate to present on request.
            public var identity: MockIdentity?
            /// Whether the transport may use HTTP/2. If `false`, the server offers only HTTP/1.1 as
            /// well, for transports without such a setting.
            public var allowsHTTP2 = true
        }

        /// One behaviour over TLS, checked on a transport made with ``Requirements``.
        public struct SecureCase: Sendable, CustomStringConvertible {
            /// The behaviour in words.
            public let name: String
            /// Whether the transport has to trust the authority of the case.
            let needsAuthority: Bool
            private let server: NIOMockServer.Configuration
            private let version: Version
            /// Expected number of connections at the end. `nil` if the case does not check it.
            ///
            /// Responses of a case that checks it are not cut into pieces. Otherwise the last frame
            /// of a response, which may be empty and unnecessary for completing it, could arrive as
            /// part of a TLS record first. libcurl before 8.2.0 considers an idle HTTP/2 connection
            /// with a partial record dead (`http2_connisalive` in `lib/http2.c`) and opens a new
            /// connection for the next request.
            private let connections: Int?
            private let body: Body

            typealias Body = @Sendable (any Transport, Setting) async throws -> Void

            enum Version: String, CaseIterable {
                case http1 = "HTTP/1.1"
                case http2 = "HTTP/2"
            }

            init(
                _ name: String, over version: Version = .http2,
                server: NIOMockServer.Configuration = .init(tls: .init()),
                needsAuthority: Bool = true, connections: Int? = nil,
                _ body: @escaping Body
            ) {
                self.name = name
                self.version = version
                var server = server
                if version == .http1 { server.protocols = .http1 }
                self.server = server
                self.needsAuthority = needsAuthority
                self.connections = connections
                self.body = body
            }

            /// The ``name``.
            public var description: String { name }

            /// Checks the behaviour.
            ///
            /// - Parameters:
            ///   - foldingFields: As in ``Case/run(on:foldingFields:)``.
            ///   - makeTransport: Makes a transport that meets the requirements.
            /// - Throws: ``Failure`` if the transport behaves differently, exceeds the time limit,
            ///   or throws where it should succeed; `CancellationError`; errors of `makeTransport`.
            public func run(
                foldingFields: Bool = true,
                making makeTransport: @escaping @Sendable (Requirements) throws -> any Transport
            ) async throws {
                let server = try NIOMockServer(
                    server,
                    delivery: connections == nil
                        ? CaseDelivery.of(name, foldsFields: foldingFields) : nil)
                defer { server.stop() }
                let setting = Setting(
                    server: server, version: version,
                    authority: needsAuthority ? server.authority.certificate : nil,
                    makeTransport: makeTransport)
                let behaviour = Case(name) { transport in
                    try await body(transport, setting)
                    guard let connections else { return }
                    try expect(server.connectionCount, connections, "the number of connections")
                }
                try await behaviour.run(on: setting.transport())
            }
        }

        /// Server and transports of a secure case.
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
                try server.request(method, path, body: body, timeout: timeout)
            }
        }

        /// Behaviours required of every transport over TLS, with HTTP/1.1 and HTTP/2. Needs the
        /// trait `MockServer`.
        ///
        /// ```swift
        /// @Test(arguments: TransportConformance.secureCases)
        /// func conforms(to behaviour: TransportConformance.SecureCase) async throws {
        ///     try await behaviour.run { try MyTransport(trusting: $0.authority) }
        /// }
        /// ```
        ///
        public static let secureCases: [SecureCase] =
            certificateCases + handshakeCases + SecureCase.Version.allCases.flatMap(messageCases)
            + SecureCase.Version.allCases.flatMap(lossCases) + http2Cases
    }
#endif
