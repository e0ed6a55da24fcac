import Foundation
import MoyaTestSupport
import MoyaTransportCurl
import Testing

/// An Apache proxy with TLS on 127.0.0.1 that tunnels to one port, for one test.
final class SecureProxy: Sendable {
    /// `https://127.0.0.1:port`
    let url: URL
    /// The first line of each logged request.
    var requests: [Substring] {
        get throws {
            try String(contentsOf: folder.file("access.log"), encoding: .utf8)
                .split(separator: "\n")
        }
    }
    private let folder: TemporaryFolder
    private let apache: Apache

    /// Starts a proxy with the certificate of `other` that tunnels to the port of `target`.
    ///
    /// - Parameter settings: Additional lines of Apache's configuration.
    init(showing other: Nginx, to target: Nginx, settings: String = "") async throws {
        folder = try TemporaryFolder()
        apache = try await Apache(
            in: folder.url, loading: ["ssl", "proxy", "proxy_connect"],
            """
            CustomLog \(folder.url.path)/access.log "%r"
            SSLEngine On
            SSLCertificateFile \(other.certificate.path)
            SSLCertificateKeyFile \(other.key.path)
            \(settings)
            ProxyRequests On
            AllowCONNECT \(target.url.port ?? 0)
            """)
        url = try #require(URL(string: "https://127.0.0.1:\(apache.port)"))
    }
}
