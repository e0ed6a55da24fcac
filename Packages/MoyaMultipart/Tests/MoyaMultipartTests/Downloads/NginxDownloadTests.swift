import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// nginx on 127.0.0.1 that serves a folder, for the time of a test.
final class FileServer: Sendable {
    private static let program = [
        "/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isInstalled: Bool { program != nil }

    struct Failure: Error {}

    let url: URL
    /// What it serves.
    let root: URL
    private let folder: Folder
    private let process: Process

    init() async throws {
        folder = try Folder()
        root = folder.url.appendingPathComponent("root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        (process, url) = try await Self.start(in: folder.url)
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Starts nginx on a port that was free a moment ago. Somebody else may have been quicker.
    private static func start(in folder: URL) async throws -> (Process, URL) {
        for _ in 0..<10 {
            let server = try MockServer()
            server.stop()
            let path = folder.path
            let configuration = """
                daemon off; master_process off; pid \(path)/pid; worker_rlimit_nofile 1024;
                events { worker_connections 512; }
                http {
                    access_log off;
                    client_body_temp_path \(path)/b; proxy_temp_path \(path)/p;
                    fastcgi_temp_path \(path)/f; uwsgi_temp_path \(path)/u; scgi_temp_path \(path)/s;
                    server {
                        listen 127.0.0.1:\(server.port);
                        location / { root \(path)/root; limit_rate 20m; }
                        location /ready { return 200; }
                    }
                }
                """
            let file = folder.appendingPathComponent("nginx.conf")
            try Data(configuration.utf8).write(to: file)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program ?? "")
            process.arguments = ["-p", path, "-c", file.path, "-e", path + "/error.log"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            if await listens(process, server.url) { return (process, server.url) }
        }
        throw Failure()
    }

    private static func listens(_ process: Process, _ url: URL) async -> Bool {
        let request = URLRequest(url: url.appendingPathComponent("ready"))
        // nginx says nothing when it is ready, so it is asked.
        while process.isRunning {
            let answer = try? await CurlTransport().send(TransportRequest(request))
            if answer?.head.statusCode == 200 { return true }
            await Task.yield()
        }
        return false
    }
}

@Suite(.enabled(if: FileServer.isInstalled)) struct NginxDownloadTests {
    @Test(arguments: [1, 4])
    func `nginx and this library agree about parts, tags and changes`(connections: Int) async throws
    {
        let server = try await FileServer()
        let data = noise(12_000_000)
        let remote = server.root.appendingPathComponent("file")
        try data.write(to: remote)
        let folder = try Folder()
        let file = folder.url.appendingPathComponent("file")
        let target = Transfer(baseURL: server.url, path: "/file", task: .requestPlain)
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        let options = ResumableDownloadOptions.eager(connections: connections)

        func cancelHalfWay() async throws {
            let task = Locked<Task<DownloadedFile, any Error>?>(nil)
            task.withLock {
                $0 = Task {
                    try await provider.resumableDownload(target, to: file, options: options) {
                        if $0.completedBytes > 4_000_000 { task.withLock { $0?.cancel() } }
                    }
                }
            }
            await #expect(throws: MoyaError.self) { try await task.withLock { $0 }?.value }
        }

        try await cancelHalfWay()
        let result = try await provider.resumableDownload(target, to: file, options: options)
        #expect(try Data(contentsOf: file) == data)
        #expect(result.receivedByteCount < 8_000_000)
        try FileManager.default.removeItem(at: file)

        try await cancelHalfWay()
        let new = noise(11_000_000, seed: 2)
        try new.write(to: remote)
        let other = try await provider.resumableDownload(target, to: file, options: options)
        #expect(try Data(contentsOf: file) == new)
        #expect(other.receivedByteCount >= 11_000_000)
    }
}
