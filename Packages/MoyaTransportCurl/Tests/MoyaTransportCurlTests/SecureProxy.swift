import Foundation
import MoyaTestSupport
import MoyaTransportCurl
import Testing

/// Apache as a proxy that is reached over TLS and makes tunnels to one port, on 127.0.0.1 for the time of a test.
final class SecureProxy: Sendable {
    /// `https://127.0.0.1:port`
    let url: URL
    /// The first line of each request that had its answer.
    var requests: [Substring] {
        get throws {
            try String(contentsOf: folder.file("access.log"), encoding: .utf8)
                .split(separator: "\n")
        }
    }
    private let folder: TemporaryFolder
    private let apache: Apache

    /// A proxy that shows the certificate of `other`, and makes tunnels to the port of `target`.
    ///
    /// - Parameter settings: More lines of its configuration.
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
