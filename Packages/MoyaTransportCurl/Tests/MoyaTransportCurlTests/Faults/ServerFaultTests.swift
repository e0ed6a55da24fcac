import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Faulty HTTP/1.1 servers, in addition to the conformance suite.
@Suite struct ServerFaultTests {
    private func send(
        to server: RawServer, destination: ResponseDestination = .memory(limit: 1 << 20),
        body: RequestBody = .none
    ) async throws -> TransportResponse {
        var request = URLRequest(url: server.url)
        request.timeoutInterval = 120
        if case .none = body {} else { request.httpMethod = "POST" }
        return try await CurlTransport().send(
            TransportRequest(request, body: body, destination: destination))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"])
    func `a reset before, within or after the head fails as a lost connection`(start: String)
        async throws
    {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write(start)
            connection.resetAtEnd()
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func `an endless response head is refused`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\n")
            while connection.write(
                String(
                    repeating: "X-Flood: \(repeatElement("x", count: 90).joined())\r\n", count: 100)
            ) {}
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .badServerResponse)
    }

    @Test func `a single header field of 100 MB is refused`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nX-Huge: ")
            let piece = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
            for _ in 0..<100 where !connection.write(piece) { return }
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .badServerResponse)
    }

    @Test func `an endless body stops at the response's size limit`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            let piece = Data(repeating: 0, count: 256 << 10)
            while connection.write(piece) {}
        }
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) { try await send(to: server) }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }

    @Test func `a response sent before the upload ends is returned`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig")
            connection.halfClose()
        }
        defer { server.stop() }
        let response = try await send(
            to: server, body: .data(Data(repeating: 1, count: 32 << 20)))
        #expect(response.head.statusCode == 413)
    }

    @Test(
        .requires(.nginx, .openssl)
    ) func `a TLS connection reset during an upload does not end the process`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        let tunnel = try Tunnel(.connect(), limit: 1 << 20)
        defer { tunnel.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(nginx.authority)
        configuration.proxy = .url(tunnel.url)
        let transport = try CurlTransport(configuration: configuration)
        var request = URLRequest(url: nginx.url)
        request.httpMethod = "POST"
        let body = RequestBody.data(Data(repeating: 1, count: 16 << 20))
        // nginx may respond before the tunnel is reset. The test checks that the process survives.
        for _ in 0..<5 {
            _ = try? await transport.send(TransportRequest(request, body: body))
        }
        configuration.proxy = .none
        let direct = try CurlTransport(configuration: configuration)
        let response = try await direct.send(TransportRequest(URLRequest(url: nginx.url)))
        #expect(response.head.statusCode == 200)
    }

    /// The server closes its half of the connection only. A client that waits for the rest would
    /// wait for ever.
    @Test func `a body ends where the server half-closes the connection`() async throws {
        let server = try RawServer { connection in
            _ = connection.read(until: "\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\n\r\nhi")
            connection.halfClose()
        }
        defer { server.stop() }
        #expect(try await send(to: server).text == "hi")
    }

    /// In a child process with a limit on file sizes, which makes writing fail as on a full disk.
    @Test func `a download beyond the file size limit is an error and leaves no file`() async throws
    {
        await #expect(processExitsWith: .success) {
            try ResourceLimit.fileSize.set(1 << 20)
            let server = try MockServer()
            let folder = try TemporaryFolder()
            let file = folder.file()
            let request = TransportRequest(
                URLRequest(url: server.url.appendingPathComponent("bytes/10000000")),
                destination: .file(file))
            let error = await #expect(throws: URLError.self) {
                try await CurlTransport().send(request)
            }
            #expect(error?.code == .cannotWriteToFile)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test(.requires(.mounts))
    func `a download to a disk that fills up is an error and leaves no file`() async throws {
        let disk = try #require(SmallDisk())
        defer { disk.remove() }
        let server = try MockServer()
        defer { server.stop() }
        let file = disk.folder.appendingPathComponent("full")
        let request = TransportRequest(
            URLRequest(url: server.url.appendingPathComponent("bytes/10000000")),
            destination: .file(file))
        let error = await #expect(throws: URLError.self) { try await CurlTransport().send(request) }
        #expect(error?.code == .cannotWriteToFile)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).isEmpty)
    }
}

extension Requirement {
    fileprivate static let mounts = Requirement(
        "the right to mount a disk",
        remedy: "Run the tests as root, outside of a container that forbids it.",
        isMet: SmallDisk.isPermitted)
}

/// A mounted file system of 1 MiB.
private struct SmallDisk {
    let folder: URL

    fileprivate static let isPermitted: Bool = {
        let disk = SmallDisk()
        disk?.remove()
        return disk != nil
    }()

    /// Returns `nil` if the process may not mount it.
    init?() {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("disk-\(UUID().uuidString)")
        #if os(Linux)
            guard mkdir(folder.path, 0o700) == 0 else { return nil }
            if mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0 { return }
            rmdir(folder.path)
        #endif
        return nil
    }

    func remove() {
        #if os(Linux)
            umount2(folder.path, Int32(MNT_DETACH))
        #endif
        rmdir(folder.path)
    }
}
