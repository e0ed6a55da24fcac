import Foundation
import MoyaCore
import MoyaTesting
import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Apache on 127.0.0.1, for the time of a test. It asks for a user and a password, and sends the body of a
/// request back, with the `Authorization` it came with in `X-Proof`.
final class Apache: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let user = "ash"
    static let password = "open sesame"

    private static let program = "/usr/sbin/apache2"
    private static let modules = "/usr/lib/apache2/modules"

    static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: program)
            && FileManager.default.fileExists(atPath: modules + "/mod_auth_digest.so")
    }

    let url: URL
    private let folder: URL
    private let process: Process

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "apache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // MD5 of `ash:the realm:open sesame`, and SHA-1 of the password in Base64.
        for (name, line) in [
            ("digest", "ash:the realm:1208a75c0f16e62f7269e92931f92317\n"),
            ("basic", "ash:{SHA}W8r/fyL/UzygmbNAjq2HbA67qac=\n"),
        ] {
            try Data(line.utf8).write(to: folder.appendingPathComponent(name))
        }
        (process, url) = try await Self.start(in: folder)
    }

    deinit {
        // It has semaphores and shared memory to give back.
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts Apache on a port that was free a moment ago. Somebody else may have been quicker.
    private static func start(in folder: URL) async throws -> (Process, URL) {
        for _ in 0..<10 {
            let port = try freePort()
            let file = folder.appendingPathComponent("conf")
            try Data(configuration(port: port, in: folder).utf8).write(to: file)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["-X", "-f", file.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            if let url = URL(string: "http://127.0.0.1:\(port)"), await listens(process, url) {
                return (process, url)
            }
        }
        let log = try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
        throw Failure(description: "Apache does not listen: \(log ?? "")")
    }

    private static func listens(_ process: Process, _ url: URL) async -> Bool {
        let request = TransportRequest(URLRequest(url: url.appendingPathComponent("digest")))
        // It says nothing when it is ready, so it is asked.
        while process.isRunning {
            let answer = try? await CurlTransport().send(request)
            if answer?.head.statusCode == 401 { return true }
            await Task.yield()
        }
        return false
    }

    private static func freePort() throws -> Int {
        let server = try MockServer()
        defer { server.stop() }
        return server.port
    }

    private static func configuration(port: Int, in folder: URL) -> String {
        let names = [
            "mpm_event", "headers", "authn_core", "authn_file", "authz_core", "authz_user",
            "auth_basic", "auth_digest", "reflector",
        ]
        let loading = names.map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }
        return """
            ServerRoot \(folder.path)
            ServerName localhost
            Listen 127.0.0.1:\(port)
            PidFile \(folder.path)/pid
            DefaultRuntimeDir \(folder.path)
            ErrorLog \(folder.path)/log
            DocumentRoot \(folder.path)
            # Where root runs the tests, Apache is nobody.
            User #65534
            Group #65534
            \(loading.joined(separator: "\n"))
            <Location />
                SetHandler reflector
                AuthName "the realm"
                Require valid-user
                Header set X-Proof "expr=%{HTTP:Authorization}"
            </Location>
            <Location /basic>
                AuthType Basic
                AuthBasicProvider file
                AuthUserFile \(folder.path)/basic
            </Location>
            <Location /digest>
                AuthType Digest
                AuthDigestProvider file
                AuthUserFile \(folder.path)/digest
            </Location>
            # Each nonce is good for one request.
            <Location /once>
                AuthType Digest
                AuthDigestProvider file
                AuthUserFile \(folder.path)/digest
                AuthDigestNonceLifetime 0
            </Location>

            """
    }
}
