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
                    access_log off; limit_conn_zone $server_name zone=all:1m;
                    client_body_temp_path \(path)/b; proxy_temp_path \(path)/p;
                    fastcgi_temp_path \(path)/f; uwsgi_temp_path \(path)/u; scgi_temp_path \(path)/s;
                    server {
                        listen 127.0.0.1:\(server.port);
                        location / { root \(path)/root; limit_rate 20m; }
                        location /two { alias \(path)/root; limit_rate 1m; limit_conn all 2; }
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
            try? await Task.sleep(nanoseconds: 5_000_000)
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

    @Test func `where nginx takes two connections, the file comes over two`() async throws {
        let server = try await FileServer()
        let data = noise(2_000_000)
        try data.write(to: server.root.appendingPathComponent("file"))
        let folder = try Folder()
        let file = folder.url.appendingPathComponent("file")
        var options = ResumableDownloadOptions.eager(connections: 4)
        // nginx takes a while to see that a connection has gone.
        options.retry = TransferRetry(attempts: 20, delay: 0.1, maximumDelay: 1)
        let target = Transfer(baseURL: server.url, path: "/two/file", task: .requestPlain)
        let result = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file, options: options)
        #expect(try Data(contentsOf: file) == data)
        #expect(result.receivedByteCount == 2_000_000)
    }

    @Test(arguments: [1, 4])
    func `a file above 4 GiB goes on near its end`(connections: Int) async throws {
        let server = try await FileServer()
        let (length, missing) = (Int64(4_400) << 20, 1_000_000)
        let end = noise(missing)
        let remote = server.root.appendingPathComponent("file")
        try sparse(remote, length - Int64(missing), end)
        let target = Transfer(baseURL: server.url, path: "/file", task: .requestPlain)
        var question = URLRequest(url: server.url.appendingPathComponent("file"))
        question.httpMethod = "HEAD"
        let head = try await CurlTransport().send(TransportRequest(question)).head
        #expect(head.value(for: "Content-Length") == "\(length)")

        let folder = try Folder()
        let file = folder.url.appendingPathComponent("file")
        try leavePart(of: file, length - Int64(missing), try #require(question.url), head, length)
        let result = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file, options: .eager(connections: connections))
        #expect(result.byteCount == length)
        #expect(result.receivedByteCount == Int64(missing))
        #expect(result.head.statusCode == 206)
        let handle = try FileHandle(forReadingFrom: file)
        try handle.seek(toOffset: UInt64(length) - UInt64(missing))
        #expect(try handle.readToEnd() == end)
    }

    /// A file that begins with so many bytes which take no room.
    private func sparse(_ file: URL, _ length: Int64, _ end: Data) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(length))
        try handle.seekToEnd()
        try handle.write(contentsOf: end)
        try handle.close()
    }

    /// What a process that was killed leaves.
    private func leavePart(
        of file: URL, _ done: Int64, _ url: URL, _ head: ResponseHead, _ total: Int64
    ) throws {
        let partial = try PartialFile(for: file)
        let handle = try FileHandle(forWritingTo: partial.url)
        try handle.truncate(atOffset: UInt64(done))
        try handle.close()
        try partial.save(
            PartialState(
                source: Digester.sha256(of: url.absoluteString),
                validator: try #require(Validator(head)), total: total))
    }

    @Test func `several ranges of nginx come as the parts of one body`() async throws {
        let server = try await FileServer()
        let data = noise(100)
        try data.write(to: server.root.appendingPathComponent("file"))
        let provider = MoyaProvider<Transfer>(
            endpointClosure: {
                MoyaProvider.defaultEndpointMapping(for: $0)
                    .adding(newHTTPHeaderFields: ["Range": "bytes=0-9,20-29"])
            }, transport: CurlTransport())
        let target = Transfer(baseURL: server.url, path: "/file", task: .requestPlain)
        var parts: [MultipartPart] = []
        for try await part in try await provider.stream(target).multipart().parts {
            parts.append(part)
        }
        #expect(parts.map(\.body) == [data[0..<10], data[20..<30]])
        #expect(
            parts.map { $0.header["Content-Range"] } == ["bytes 0-9/100", "bytes 20-29/100"])
        #expect(try await provider.request(target).mapMultipart() == parts)
    }
}
