import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An nginx server with TLS on 127.0.0.1, for one test.
final class Nginx: Sendable {
    typealias Certificate = TestCertificates.Kind

    /// The OCSP status that the server staples (RFC 6066, section 8).
    enum Staple: String, Sendable {
        case none, good, revoked
    }

    /// Settings of the server.
    struct Site: Sendable {
        var certificate = Certificate.valid
        var tlsVersions = "TLSv1.2 TLSv1.3"
        var ciphers = "DEFAULT"
        var staple = Staple.none
        /// Whether the server requires a client certificate of the same authority.
        var asksForClientCertificate = false
        /// A PEM file of unrelated certificates that the server sends after its own.
        var shownBeside: URL?
        /// The port of the server on 127.0.0.1 that `/behind` is forwarded to.
        var portBehind = 9
        var speaksHTTP2 = true
        /// The number of requests that an HTTP/2 connection may have at a time.
        var concurrentStreams = 128
        /// The number and the size of the buffers for a request's head.
        var headBuffers = "4 8k"
        /// Whether clients may resume TLS sessions.
        var resumesSessions = true
    }

    let url: URL
    /// The certificate of the authority that signed the server's, in PEM form.
    let authority: URL
    /// The server's certificate, in PEM form.
    var certificate: URL { folder.file("server.pem") }
    /// The key of that certificate, in PEM form.
    var key: URL { folder.file("server.key") }
    /// The number of requests that the server has logged over TLS.
    var requestCount: Int {
        get throws {
            try String(contentsOf: folder.file("access.log"), encoding: .utf8)
                .split(separator: "\n").count { $0.hasPrefix("TLS") }
        }
    }
    /// The number of logged requests, once there are at least `least`. nginx writes its log some
    /// time after it has responded.
    func requestCount(atLeast least: Int) async throws -> Int {
        try await until { try requestCount >= least }
        return try requestCount
    }
    /// The client's certificate and key in PEM form, and both in PKCS#12 with the password `moya`.
    var clientCertificate: URL { folder.file("client.pem") }
    var clientKey: URL { folder.file("client.key") }
    /// The client's key, encrypted with the password `moya`.
    var encryptedClientKey: URL { folder.file("client.secret.key") }
    var clientPKCS12: URL { folder.file("client.p12") }
    /// A Unix domain socket that serves HTTP without TLS.
    var unixSocket: URL { folder.file("socket") }
    /// A Unix domain socket that serves TLS with the server's certificate.
    var secureUnixSocket: URL { folder.file("tls-socket") }
    /// SHA-256 of the server's public key, in Base64.
    let pin: String
    private let folder: TemporaryFolder
    private let program: Program

    convenience init(_ certificate: Certificate) async throws {
        try await self.init(Site(certificate: certificate))
    }

    /// Starts an nginx that forwards `/behind` to the server at `port` of 127.0.0.1.
    convenience init(before port: Int, speaksHTTP2: Bool = true) async throws {
        var site = Site()
        site.portBehind = port
        site.speaksHTTP2 = speaksHTTP2
        try await self.init(site)
    }

    init(_ site: Site) async throws {
        folder = try TemporaryFolder()
        authority = folder.file("ca.pem")
        try await TestCertificates.make(site.certificate, in: folder.url)
        if let shownBeside = site.shownBeside {
            let chain = [folder.file("server.pem"), shownBeside]
            let text = try chain.map { try Data(contentsOf: $0) }.reduce(Data(), +)
            try text.write(to: chain[0])
        }
        if site.staple != .none { try await Self.makeStaple(site.staple, in: folder.url) }
        pin = try TestCertificates.pin(in: folder.url)
        (program, url) = try await Self.start(site, in: folder.url)
    }

    private static func start(_ site: Site, in folder: URL) async throws -> (Program, URL) {
        let (program, port) = try await Program.server(
            noting: folder.appendingPathComponent("pid"),
            log: folder.appendingPathComponent("error.log")
        ) { port in
            // Removes the sockets of an earlier attempt whose port was taken.
            for name in ["socket", "tls-socket"] { unlink(folder.path + "/" + name) }
            let file = folder.appendingPathComponent("nginx.conf")
            try Data(configuration(site, port: port, in: folder).utf8).write(to: file)
            return try Program(
                Program.nginx ?? "",
                ["-p", folder.path, "-c", file.path, "-e", folder.path + "/error.log"])
        }
        return (program, try #require(URL(string: "https://127.0.0.1:\(port)/")))
    }

    private static func configuration(_ site: Site, port: Int, in folder: URL) -> String {
        """
        daemon off; master_process off; pid \(folder.path)/pid; worker_rlimit_nofile 1024;
        events { worker_connections 512; }
        http {
            log_format protocol "$ssl_protocol $request";
            access_log \(folder.path)/access.log protocol;
            client_body_temp_path \(folder.path)/b; proxy_temp_path \(folder.path)/p;
            fastcgi_temp_path \(folder.path)/f; uwsgi_temp_path \(folder.path)/u; scgi_temp_path \(folder.path)/s;
            large_client_header_buffers \(site.headBuffers);
            server {
                listen 127.0.0.1:\(port) ssl\(site.speaksHTTP2 ? " http2" : "");
                listen unix:\(folder.path)/tls-socket ssl http2;
                http2_max_concurrent_streams \(site.concurrentStreams);
                ssl_protocols \(site.tlsVersions); ssl_ciphers \(site.ciphers);
                \(site.resumesSessions ? "" : "ssl_session_cache off; ssl_session_tickets off;")
                ssl_client_certificate \(folder.path)/ca.pem;
                ssl_verify_client \(site.asksForClientCertificate ? "on" : "off");
                ssl_certificate \(folder.path)/server.pem;
                ssl_certificate_key \(folder.path)/server.key;
                \(site.staple == .none ? "" : "ssl_stapling on; ssl_stapling_file \(folder.path)/staple;")
                location / { return 200 "hello\\n"; }
                location /behind { proxy_pass http://127.0.0.1:\(site.portBehind); proxy_read_timeout 600s; proxy_max_temp_file_size 0; }
                location /once { keepalive_timeout 0; return 200 "and away"; }
                location /proxy-field { return 200 "[$http_proxy_authorization]"; }
                location /length { return 200 "$request_length"; }
                location /cipher { return 200 "$ssl_cipher"; }
                location /peer { return 200 "$remote_addr"; }
                location /client { return 200 "$ssl_client_s_dn"; }
                location /to-http { return 302 http://127.0.0.1:1/; }
            }
            server {
                listen unix:\(folder.path)/socket;
                location / { return 200 "$http_host over a socket"; }
            }
        }
        """
    }

    /// Creates the OCSP response for the server's certificate, signed by the authority.
    private static func makeStaple(_ staple: Staple, in folder: URL) async throws {
        let state =
            staple == .revoked ? "R\\t491231235959Z\\t200101000000Z" : "V\\t491231235959Z\\t"
        let script = """
            set -e
            cd '\(folder.path)'
            serial=$(openssl x509 -in server.pem -serial -noout | cut -d= -f2)
            printf "\(state)\\t$serial\\tunknown\\t/CN=server\\n" > status
            openssl ocsp -issuer ca.pem -cert server.pem -no_nonce -reqout question
            openssl ocsp -index status -CA ca.pem -rsigner ca.pem -rkey ca.key -ndays 2 \
                -reqin question -respout staple
            # libcurl looks for who has signed the certificate among those it is shown.
            cat ca.pem >> server.pem
            """
        try await TestCertificates.run(script, "openssl could not make the staple.")
    }
}
