import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A Caddy server on 127.0.0.1 that forwards HTTP/3 requests to an HTTP/1.1 server, for one test.
final class Caddy: Sendable {
    static let path = ["/usr/bin/caddy", "/usr/local/bin/caddy", "/opt/homebrew/bin/caddy"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Settings of the server.
    struct Site: Sendable {
        var certificate = TestCertificates.Kind.valid
        /// Whether the server requires a client certificate of the same authority.
        var asksForClientCertificate = false
    }

    let url: URL
    /// SHA-256 of the server's public key, in Base64.
    let pin: String
    /// The certificate of the authority that signed the server's, in PEM form.
    var authority: URL { folder.file("ca.pem") }
    /// The server's certificate, in PEM form.
    var certificate: URL { folder.file("server.pem") }
    /// A client's certificate and key, in PEM form.
    var clientCertificate: URL { folder.file("client.pem") }
    var clientKey: URL { folder.file("client.key") }
    private let folder: TemporaryFolder
    private let program: Program

    /// Forwards requests to the server at `port`, with the client's protocol in the field
    /// `X-Protocol`.
    init(before port: Int, _ site: Site = Site()) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try await TestCertificates.make(site.certificate, in: folder.url)
        pin = try TestCertificates.pin(in: folder.url)
        let log = folder.file("log")
        let listening: Int
        // Depending on its version, Caddy creates its pid file before or after it listens, so the
        // log is used.
        (program, listening) = try await Program.server(
            noting: log, "serving initial configuration", log: log
        ) { own in
            let text = Self.configuration(site, port: own, before: port, in: folder.url.path)
            let file = try folder.file("Caddyfile-\(own)", Data(text.utf8))
            return try Program(
                Self.path ?? "", ["run", "--adapter", "caddyfile", "--config", file.path],
                // Without this, Caddy stores its configuration in the user's folder.
                environment: ["XDG_CONFIG_HOME": folder.url.path])
        }
        url = try #require(URL(string: "https://127.0.0.1:\(listening)/"))
    }

    /// The configuration of a transport that uses HTTP/3 only, and trusts the server.
    var clientConfiguration: CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.httpVersion = .http3Only
        configuration.threads = 1
        configuration.tls.trust = .file(authority)
        return configuration
    }

    func transport() throws -> CurlTransport {
        try CurlTransport(configuration: clientConfiguration)
    }

    func request(
        _ path: String, _ method: String = "GET", body: RequestBody = .none,
        destination: ResponseDestination = .memory()
    ) -> TransportRequest {
        var request = URLRequest.patient(url.appendingPathComponent(path))
        request.httpMethod = method
        return TransportRequest(request, body: body, destination: destination)
    }

    private static func configuration(
        _ site: Site, port: Int, before behind: Int, in folder: String
    ) -> String {
        let authentication = """
            client_auth {
                mode require_and_verify
                trusted_ca_cert_file \(folder)/ca.pem
            }
            """
        return """
            {
                admin off
                auto_https off
                storage file_system \(folder)/storage
                log {
                    output file \(folder)/log
                }
                servers {
                    protocols h1 h2 h3
                    # Over HTTP/3 it does not know what host was named in the handshake.
                    \(site.asksForClientCertificate ? "strict_sni_host insecure_off" : "")
                }
            }
            https://:\(port) {
                bind 127.0.0.1
                tls \(folder)/server.pem \(folder)/server.key {
                    \(site.asksForClientCertificate ? authentication : "")
                }
                reverse_proxy 127.0.0.1:\(behind) {
                    # At once would be for good, even where the client has gone.
                    flush_interval 1ms
                    header_up X-Protocol {http.request.proto}
                }
            }
            """
    }
}
