import Foundation
import MoyaMockServer

/// An nginx server on 127.0.0.1. The body of each response is the request's path.
final class Nginx: Sendable {
    private static let programs = [
        "/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
    ]

    let port: Int
    private let folder: URL
    private let process: Process

    init() async throws {
        let isExecutable = FileManager.default.isExecutableFile
        guard let program = Self.programs.first(where: isExecutable) else {
            throw Options.Mistake(
                description: "nginx is missing; scripts/bootstrap --tests installs it")
        }
        let probe = try MockServer()
        probe.stop()
        port = probe.port
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "soak-nginx-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
        let configuration = """
            daemon off; master_process off; pid \(folder.path)/pid; events { worker_connections 1024; }
            http {
                access_log off; \(paths) keepalive_requests 1000000000;
                server { listen 127.0.0.1:\(port); location / { return 200 "$request_uri"; } }
            }
            """
        let file = folder.appendingPathComponent("nginx.conf")
        try Data(configuration.utf8).write(to: file)
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-p", folder.path, "-c", file.path, "-e", "\(folder.path)/error.log"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let note = folder.appendingPathComponent("pid")
        while process.isRunning, (try? Data(contentsOf: note))?.isEmpty != false {
            try await Task.sleep(for: .milliseconds(5))
        }
        guard process.isRunning else {
            let log = folder.appendingPathComponent("error.log")
            let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            throw Options.Mistake(description: "nginx does not listen: \(said)")
        }
    }

    /// Kills nginx and removes its files. Later calls do nothing.
    func stop() {
        guard process.isRunning else { return }
        // SIGKILL, because nginx inherits the signal mask of a libdispatch thread, which blocks
        // SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }
}
