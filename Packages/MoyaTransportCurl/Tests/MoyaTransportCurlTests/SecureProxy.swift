import Foundation
@_spi(MoyaInternals) import MoyaTesting
import MoyaTransportCurl

/// Apache as a proxy that is reached over TLS and makes tunnels to one port, on 127.0.0.1 for the time of a test.
final class SecureProxy: Sendable {
    private static let program = "/usr/sbin/apache2"
    private static let modules = "/usr/lib/apache2/modules"

    static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: program)
            && ["ssl", "proxy", "proxy_connect"].allSatisfy {
                FileManager.default.fileExists(atPath: "\(modules)/mod_\($0).so")
            }
    }

    /// `https://127.0.0.1:port`
    let url: URL
    /// The first line of each request that had its answer.
    var requests: [Substring] {
        get throws {
            try String(contentsOf: folder.appendingPathComponent("access.log"), encoding: .utf8)
                .split(separator: "\n")
        }
    }
    private let folder: URL
    private let process: Program

    /// A proxy that shows the certificate of `other`, and makes tunnels to the port of `target`.
    ///
    /// - Parameter settings: More lines of its configuration.
    init(showing other: Nginx, to target: Nginx, settings: String = "") throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("proxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let probe = try MockServer()
        let port = probe.port
        probe.stop()
        guard let url = URL(string: "https://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        self.url = url
        let loaded = ["mpm_event", "authz_core", "ssl", "proxy", "proxy_connect"]
            .map { "LoadModule \($0)_module \(Self.modules)/mod_\($0).so" }
        let text =
            loaded.joined(separator: "\n") + """

                ServerRoot \(folder.path)
                ServerName 127.0.0.1
                Listen 127.0.0.1:\(port)
                PidFile \(folder.path)/httpd.pid
                DefaultRuntimeDir \(folder.path)
                Mutex file:\(folder.path)
                User \(getuid() == 0 ? "www-data" : "#\(getuid())")
                Group \(getuid() == 0 ? "www-data" : "#\(getgid())")
                ErrorLog \(folder.path)/error.log
                CustomLog \(folder.path)/access.log "%r"
                SSLEngine On
                SSLCertificateFile \(other.certificate.path)
                SSLCertificateKeyFile \(other.key.path)
                \(settings)
                ProxyRequests On
                AllowCONNECT \(target.url.port ?? 0)

                """
        let file = folder.appendingPathComponent("httpd.conf")
        try Data(text.utf8).write(to: file)
        process = try Program(Self.program, ["-X", "-f", file.path])
        // It says nothing when it listens.
        while (try? RawClient(port: port).close()) == nil {
            guard process.isRunning else { throw IssueError("Apache does not run.") }
        }
    }

    deinit {
        process.end()
        try? FileManager.default.removeItem(at: folder)
    }
}
