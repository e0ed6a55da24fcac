import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// nginx on 127.0.0.1 that serves a folder until it is deallocated.
final class FileServer: Sendable {
    let url: URL
    /// Folder that is served.
    let root: URL
    private let folder: TemporaryFolder
    private let program: Program

    init() async throws {
        folder = try TemporaryFolder()
        root = folder.file("root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let (folder, path) = (folder, folder.url.path)
        let (program, port) = try await Program.server(
            noting: folder.file("pid"), log: folder.file("error.log")
        ) { port in
            let configuration = """
                daemon off; master_process off; pid \(path)/pid; worker_rlimit_nofile 1024;
                events { worker_connections 512; }
                http {
                    access_log off; limit_conn_zone $server_name zone=all:1m;
                    client_body_temp_path \(path)/b; proxy_temp_path \(path)/p;
                    fastcgi_temp_path \(path)/f; uwsgi_temp_path \(path)/u; scgi_temp_path \(path)/s;
                    server {
                        listen 127.0.0.1:\(port);
                        location / { root \(path)/root; limit_rate 20m; }
                        location /fast { alias \(path)/root; }
                        location /two { alias \(path)/root; limit_rate 1m; limit_conn all 2; }
                    }
                }
                """
            let file = try folder.file("nginx.conf", Data(configuration.utf8))
            return try Program(
                Program.nginx ?? "", ["-p", path, "-c", file.path, "-e", path + "/error.log"])
        }
        self.program = program
        url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    }
}

@Suite(.requires(.nginx)) struct NginxDownloadTests {
    @Test(arguments: [1, 4])
    func `a download from nginx resumes, and starts over after the file has changed`(
        connections: Int
    ) async throws {
        let server = try await FileServer()
        let data = noise(12_000_000)
        let remote = server.root.appendingPathComponent("file")
        try data.write(to: remote)
        let folder = try TemporaryFolder()
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

    @Test func `a download over four connections completes where nginx allows two`() async throws {
        let server = try await FileServer()
        let data = noise(2_000_000)
        try data.write(to: server.root.appendingPathComponent("file"))
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        var options = ResumableDownloadOptions.eager(connections: 4)
        // nginx notices closed connections with a delay.
        options.retry = TransferRetry(maximumRetries: 19, backoff: Backoff(base: 0.1, limit: 1))
        let target = Transfer(baseURL: server.url, path: "/two/file", task: .requestPlain)
        let result = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file, options: options)
        #expect(try Data(contentsOf: file) == data)
        #expect(result.receivedByteCount == 2_000_000)
    }

    @Test(arguments: [1, 4])
    func `a download above 4 GiB resumes near its end`(connections: Int) async throws {
        let server = try await FileServer()
        let (length, missing) = (Int64(4_400) << 20, 1_000_000)
        let end = noise(missing)
        let remote = server.root.appendingPathComponent("file")
        try sparse(remote, length - Int64(missing), end)
        let target = Transfer(baseURL: server.url, path: "/file", task: .requestPlain)
        var request = URLRequest(url: server.url.appendingPathComponent("file"))
        request.httpMethod = "HEAD"
        let head = try await CurlTransport().send(TransportRequest(request)).head
        #expect(head.value(for: "Content-Length") == "\(length)")

        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        try leavePart(of: file, length - Int64(missing), try #require(request.url), head, length)
        let result = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file, options: .eager(connections: connections))
        #expect(result.byteCount == length)
        #expect(result.receivedByteCount == Int64(missing))
        #expect(result.head.statusCode == 206)
        let handle = try FileHandle(forReadingFrom: file)
        try handle.seek(toOffset: UInt64(length) - UInt64(missing))
        #expect(try handle.readToEnd() == end)
    }

    /// Creates a sparse file of `length` bytes, followed by `end`.
    private func sparse(_ file: URL, _ length: Int64, _ end: Data) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(length))
        try handle.seekToEnd()
        try handle.write(contentsOf: end)
        try handle.close()
    }

    /// Creates the partial file and state that a killed process leaves.
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

    @Test func `a response with several ranges from nginx is read as a multipart body`()
        async throws
    {
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
