#if MockServer
    import Foundation
    import MoyaCore
    import MoyaMockServer

    extension TransportConformance {
        static let certificateCases: [SecureCase] =
            [
                (NIOMockServer.Configuration.Certificate.expired, "that has expired"),
                (.notYetValid, "that is not valid yet"), (.otherHost, "for another host"),
                (.commonName, "that has its host in the common name alone"),
                (.unknownAuthority, "of an untrusted authority"),
                (.selfSigned, "that is self-signed"),
            ].map { certificate, what in
                SecureCase(
                    "a certificate \(what) is refused", server: .init(tls: .init(certificate))
                ) { transport, setting in
                    try await expectUntrusted(transport, setting)
                }
            } + [
                SecureCase(
                    "a certificate of an authority that the system does not know is refused",
                    needsAuthority: false
                ) { transport, setting in
                    try await expectUntrusted(transport, setting)
                },
                SecureCase("a certificate of a trusted authority is accepted") {
                    transport, setting in
                    let response = try await transport.send(setting.request())
                    try expect(response.head.statusCode, 200, "the status")
                    try expect(setting.server.requests.count, 1, "the number of requests")
                },
                SecureCase("HTTP/2 is used where the server offers it") { transport, setting in
                    _ = try await transport.send(setting.request())
                    try expect(setting.server.requests.map(\.protocolName), ["h2"], "the protocol")
                },
                SecureCase(
                    "HTTP/1.1 is used where the server offers nothing else",
                    server: .init(protocols: .http1, tls: .init())
                ) { transport, setting in
                    _ = try await transport.send(setting.request())
                    let names = setting.server.requests.map(\.protocolName)
                    try expect(names, ["http/1.1"], "the protocol")
                },
                SecureCase(
                    "a client certificate is sent to a server that requires one", over: .http1,
                    server: .init(tls: .init(requiresClientCertificate: true))
                ) { _, setting in
                    let identity = try setting.server.clientIdentity()
                    let response = try await setting.transport(identity: identity).send(
                        setting.request())
                    try expect(response.head.statusCode, 200, "the status")
                    try expect(setting.server.requests.count, 1, "the number of requests")
                },
                SecureCase(
                    "a request without the required client certificate fails", over: .http1,
                    server: .init(tls: .init(requiresClientCertificate: true))
                ) { transport, setting in
                    try await expectFailure { try await transport.send(setting.request()) }
                    try expect(setting.server.requests.count, 0, "the number of requests")
                },
            ]

        private static func expectUntrusted(
            _ transport: any Transport, _ setting: Setting
        ) async throws {
            try await expectError(
                .serverCertificateHasBadDate, .serverCertificateNotYetValid,
                .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .secureConnectionFailed
            ) {
                try await transport.send(setting.request())
            }
            try expect(setting.server.requests.count, 0, "the number of requests")
        }

        static let handshakeCases: [SecureCase] =
            [
                (MockFault.Action.failHandshake, "that the server breaks off"),
                (.reset, "that is reset"), (.close, "that is closed"),
                (.garbage, "that is answered with bytes that are not TLS"),
            ].map { action, what in
                SecureCase("a handshake \(what) is an error", needsAuthority: false) {
                    transport, setting in
                    setting.server.inject(MockFault(action, at: .handshake), times: 8)
                    try await expectError(.secureConnectionFailed, .networkConnectionLost) {
                        try await transport.send(setting.request())
                    }
                    try expect(setting.server.requests.count, 0, "the number of requests")
                }
            } + [
                SecureCase(
                    "a handshake without an answer times out", needsAuthority: false
                ) { transport, setting in
                    setting.server.inject(MockFault(.stall, at: .handshake), times: 8)
                    try await expectError(.timedOut) {
                        try await transport.send(setting.request(timeout: 0.4))
                    }
                }
            ]
    }
#endif
