import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTransportFoundation
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// TLS errors, tested against openssl with temporary certificates.
@Suite(.requires(.opensslServer))
struct TLSTests {
    private func error(
        from url: URL, timeout: TimeInterval = 120
    ) async throws -> URLError {
        var urlRequest = URLRequest(url: url)
        urlRequest.timeoutInterval = timeout
        let request = TransportRequest(urlRequest)
        let error = await #expect(throws: URLError.self) {
            try await FoundationTransport().send(request)
        }
        return try #require(error)
    }

    @Test(arguments: [
        (TLSServer.Certificate.selfSigned, URLError.Code.serverCertificateHasUnknownRoot),
        (.signedByUnknownAuthority, .serverCertificateHasUnknownRoot),
    ])
    func `an untrusted certificate is refused with the matching error code`(
        certificate: TLSServer.Certificate, code: URLError.Code
    ) async throws {
        let server = try await TLSServer(certificate)
        let error = try await error(from: server.url)
        #expect(error.code == code, "\(error)")
        #expect((error as NSError).userInfo[NSUnderlyingErrorKey] != nil)
    }

    @Test func `a server without a common cipher suite is a secure connection error`() async throws
    {
        let server = try await TLSServer(options: [
            "-tls1_3", "-ciphersuites", "TLS_AES_128_CCM_SHA256",
        ])
        let error = try await error(from: server.url)
        #expect(error.code == .secureConnectionFailed, "\(error)")
    }

    @Test func `a TLS handshake without an answer times out`() async throws {
        let server = try RawServer { $0.waitForClient() }
        defer { server.stop() }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        #expect(try await error(from: url, timeout: 0.3).code == .timedOut)
    }
}
