import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookie files.
@Suite struct CookieFileTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("cookies") }

    init() throws { folder = try TemporaryFolder() }

    private func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .file(file)
        return try CurlTransport(configuration: configuration)
    }

    private func cookie(_ name: String) throws -> HTTPCookie {
        try #require(
            HTTPCookie(properties: [
                .domain: "a.test", .path: "/", .name: name, .value: "1",
                .expires: Date(timeIntervalSinceNow: 3600),
            ]))
    }

    @Test func `Removed cookies do not come back from the cookie file`() async throws {
        let first = try transport()
        try await first.setCookie(cookie("old"))
        try await first.saveCookies()
        let second = try transport()
        #expect(try await second.cookies().map(\.name) == ["old"])
        try await second.removeCookies()
        try await second.setCookie(cookie("new"))
        try await second.saveCookies()
        #expect(try await second.cookies().map(\.name) == ["new"])
        let third = try transport()
        #expect(try await third.cookies().map(\.name) == ["new"])
    }

    @Test func `The cookie file is written before a draining shutdown returns`() async throws {
        for _ in 0..<20 {
            try? FileManager.default.removeItem(at: file)
            let transport = try transport()
            try await transport.setCookie(cookie("a"))
            await transport.shutdown(draining: 1000)
            #expect(folder.names == ["cookies"])
        }
    }

    @Test func `A cookie that the server expires does not come back from the cookie file`()
        async throws
    {
        let server = try MockServer { request in
            let age = request.path == "/set" ? 86_400 : 0
            return MockResponse().adding("Set-Cookie", "a=1; Path=/; Max-Age=\(age)")
        }
        defer { server.stop() }
        func get(_ path: String) -> TransportRequest {
            TransportRequest(URLRequest(url: server.url.appendingPathComponent(path)))
        }
        let first = try transport()
        _ = try await first.send(get("set"))
        try await first.saveCookies()
        let second = try transport()
        #expect(try await second.cookies().count == 1)
        _ = try await second.send(get("unset"))
        try await second.saveCookies()
        #expect(try await second.cookies().isEmpty)
    }

    @Test func `A saved cookie file is accessible to its owner alone`() async throws {
        let transport = try self.transport()
        try Data("# Netscape HTTP Cookie File\n".utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: file.path)
        try await transport.setCookie(cookie("a"))
        try await transport.saveCookies()
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(folder.names == ["cookies"])
    }

    @Test func `Saving cookies to a missing folder is an error`() async throws {
        let transport = try self.transport()
        try await transport.setCookie(cookie("a"))
        try FileManager.default.removeItem(at: folder.url)
        let error = await #expect(throws: URLError.self) { try await transport.saveCookies() }
        #expect(error?.code == .cannotWriteToFile)
        #expect(error?.localizedDescription.contains(file.path) == true)
    }

    @Test func `The cookie file is written when the transport is deallocated`() async throws {
        try await transport().setCookie(cookie("a"))
        // The transport saves its cookies on its own thread.
        try await until { FileManager.default.fileExists(atPath: file.path) }
        #expect(try await transport().cookies().map(\.name) == ["a"])
    }

    private func expectRefusal(
        _ part: String, at location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(
            throws: CurlTransport.ConfigurationError.self, sourceLocation: location
        ) { try transport() }
        #expect(error?.description.contains(file.path) == true, sourceLocation: location)
        #expect(error?.description.contains(part) == true, sourceLocation: location)
    }

    @Test(arguments: [
        ("Dear diary,\n", 1), ("# Netscape HTTP Cookie File\n\n{\"cookies\": []}\n", 3),
        ("a.test\tFALSE\t/\tFALSE\t0\ta\t1\n1\t2\t3\t4\t5\t6\t7", 2),
        ("a.test\tFALSE\t/\tFALSE\tnever\ta\t1\n", 1), ("\u{0}\u{1}\u{2}", 1),
    ])
    func `A cookie file with other content is an error and stays unchanged`(
        text: String, line: Int
    ) async throws {
        try Data(text.utf8).write(to: file)
        expectRefusal("Line \(line) ")
        #expect(try Data(contentsOf: file) == Data(text.utf8))
        #expect(folder.names == ["cookies"])
    }

    @Test func `A folder or a FIFO in place of the cookie file is an error`() throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        expectRefusal("is not a regular file")
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(file.path, 0o600) == 0)
        expectRefusal("is not a regular file")
        #expect(folder.names == ["cookies"])
    }

    @Test func `A cookie file of 1 TiB is refused as too large`() throws {
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        #expect(truncate(file.path, 1 << 40) == 0)
        expectRefusal("larger than 16 MiB")
    }

    @Test func `A cookie file URL that is remote or below a device is an error`() throws {
        var configuration = CurlTransport.Configuration()
        for text in ["https://a.test/cookies", "file:///dev/null/cookies"] {
            configuration.cookies = .file(try #require(URL(string: text)))
            #expect(throws: CurlTransport.ConfigurationError.self, "\(text)") {
                try CurlTransport(configuration: configuration)
            }
        }
    }

    /// In a child process that changes its user, because root can read every file.
    @Test func `An unreadable cookie file is an error and stays unchanged`() async throws {
        try Data("somebody else's".utf8).write(to: file)
        chmod(file.path, 0)
        await #expect(processExitsWith: .success) { [path = file.path as String] in
            if geteuid() == 0 { #expect(seteuid(65_534) == 0) }
            var configuration = CurlTransport.Configuration()
            configuration.cookies = .file(URL(fileURLWithPath: path))
            let error = #expect(throws: CurlTransport.ConfigurationError.self) {
                try CurlTransport(configuration: configuration)
            }
            #expect(error?.description.contains("cannot be read") == true)
        }
        chmod(file.path, 0o600)
        #expect(try Data(contentsOf: file) == Data("somebody else's".utf8))
    }

    @Test func `Cookie files written by other programs are read`() async throws {
        let later = Int(Date().timeIntervalSince1970) + 3600
        let text = """
            # HTTP Cookie File
            #  a remark

            \t
            .a.test\tTRUE\t/\tfalse\t\(later)\tone\t1\r
            #HttpOnly_b.test\tFALSE\t/\tTRUE\t0\ttwo\t2
              c.test\tFALSE\t/\tFALSE\t0\tempty
            Set-Cookie: three=3; domain=d.test; path=/
            """
        try Data(text.utf8).write(to: file)
        let names = try await transport().cookies().map(\.name).sorted()
        #expect(names == ["empty", "one", "three", "two"])
    }

    @Test func `A saved cookie file with empty and very long values can be read again`()
        async throws
    {
        let transport = try self.transport()
        for (name, value) in [("empty", ""), ("long", String(repeating: "x", count: 20_000))] {
            let cookie = try #require(
                HTTPCookie(properties: [
                    .domain: ".a.test", .path: "/", .name: name, .value: value,
                ]))
            try await transport.setCookie(cookie)
        }
        try await transport.saveCookies()
        #expect(try await self.transport().cookies().contains { $0.name == "empty" })
    }

    @Test(arguments: ["=", "=1", "a=", "a=1; Path=", "a=1; Path=TRUE", "a=1; Path=\t"])
    func `A cookie file with malformed cookies from a server can be read again`(
        text: String
    ) async throws {
        let server = try MockServer { _ in
            MockResponse().adding("Set-Cookie", "good=1").adding("Set-Cookie", text)
        }
        defer { server.stop() }
        let first = try transport()
        _ = try await first.send(TransportRequest(URLRequest(url: server.url)))
        try await first.saveCookies()
        let kept = try await transport().cookies()
        #expect(kept.contains { $0.name == "good" && $0.value == "1" })
        let second = kept.first { $0.name != "good" }
        #expect(second?.path.isEmpty != true)
    }

    /// Many such cookies would make the file too large to be read.
    @Test func `A cookie too long for a line of the cookie file is not saved`() async throws {
        let first = try transport()
        try await first.setCookie(cookie("short"))
        for count in [4900, 5000, 20_000] {
            let cookie = HTTPCookie(properties: [
                .domain: "a.test", .path: "/", .name: "\(count)",
                .value: String(repeating: "x", count: count),
            ])
            try await first.setCookie(#require(cookie))
        }
        try await first.saveCookies()
        #expect(try Data(contentsOf: file).count < 6000)
        let names = try await transport().cookies().map(\.name)
        #expect(names == ["short", "4900"])
    }

    /// libcurl 7.88.1 alone takes minutes for 50,000 of these lines.
    @Test(.timeLimit(.minutes(2)))
    func `A cookie file with 200,000 cookies of one site is read up to the limit`() async throws {
        let lines = (0..<200_000).map { "a.test\tFALSE\t/\tFALSE\t0\tc\($0)\t1\n" }
        try Data(lines.joined().utf8).write(to: file)
        let names = try await transport().cookies().map(\.name)
        #expect(names == (197_000..<200_000).map { "c\($0)" })
    }

    @Test func `A cookie file beyond the cookie limit is read and saved up to the limit`()
        async throws
    {
        let lines = (0..<4000).map { "a.test\tFALSE\t/\tFALSE\t0\tc\($0)\t1\n" }
        try Data(lines.joined().utf8).write(to: file)
        let transport = try transport()
        let names = try await transport.cookies().map(\.name)
        #expect(names == (1000..<4000).map { "c\($0)" })
        try await transport.saveCookies()
        #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count == 3001)
    }
}
