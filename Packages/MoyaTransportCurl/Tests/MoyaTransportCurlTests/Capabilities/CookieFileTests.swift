import Foundation
import MoyaCore
@_spi(MoyaInternals) import MoyaTesting
import MoyaTransportCurl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies in a file.
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

    @Test func `What has been removed does not come back from the file`() async throws {
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

    @Test func `What the server takes back does not come back from the file`() async throws {
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

    @Test func `The file is for its owner alone, however it was before`() async throws {
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

    @Test func `Cookies that cannot be saved are an error`() async throws {
        let transport = try self.transport()
        try await transport.setCookie(cookie("a"))
        try FileManager.default.removeItem(at: folder.url)
        let error = await #expect(throws: URLError.self) { try await transport.saveCookies() }
        #expect(error?.code == .cannotWriteToFile)
        #expect(error?.localizedDescription.contains(file.path) == true)
    }

    @Test func `The file is written when the transport goes`() async throws {
        try await transport().setCookie(cookie("a"))
        // It ends on a thread of its own.
        try await until { FileManager.default.fileExists(atPath: file.path) }
        #expect(try await transport().cookies().map(\.name) == ["a"])
    }
}
