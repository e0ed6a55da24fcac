import Foundation
import MoyaCore
import MoyaTestSupport
@testable import MoyaTransportCurl
import Testing

/// Locations of the system's trusted certificates.
@Suite(.requires(.nginx, .openssl)) struct SystemAuthoritiesTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("moya-authorities-\(UUID().uuidString)")
    private var missing: String { folder.appendingPathComponent("missing.pem").path }

    private func send(
        to nginx: Nginx, _ authorities: SystemAuthorities
    ) async throws -> TransportResponse {
        try await fetch(nginx.url.absoluteString) { $0.tls.authorities = authorities }
    }

    /// Creates a folder with `authority`, named by its subject hash.
    private func makeFolder(of authority: URL) async throws {
        try await TestCertificates.run(
            "mkdir -p '\(folder.path)' && cp '\(authority.path)' '\(folder.path)'/"
                + "$(openssl x509 -hash -noout -in '\(authority.path)').0",
            "openssl could not hash the certificate.")
    }

    @Test
    func `if its own locations are empty, libcurl uses the first location with certificates`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        let places = [missing, nginx.authority.path, "/etc/ssl/certs/ca-certificates.crt"]
        let authorities = SystemAuthorities([missing], elsewhere: places)
        #expect(authorities == .file(nginx.authority.path))
        // A libcurl that was built without a location.
        #expect(SystemAuthorities([], elsewhere: places) == authorities)
        #expect(try await send(to: nginx, authorities).head.statusCode == 200)
    }

    @Test func `a folder of certificates is used, and an empty folder is skipped`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        defer { try? FileManager.default.removeItem(at: folder) }
        let empty = folder.appendingPathComponent("empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        try await makeFolder(of: nginx.authority)
        let authorities = SystemAuthorities([empty.path], elsewhere: [empty.path, folder.path])
        #expect(authorities == .folder(folder.path))
        #expect(try await send(to: nginx, authorities).head.statusCode == 200)
    }

    @Test func `without any certificates of authorities, the error names each location tried`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        let other = folder.appendingPathComponent("other.pem").path
        let authorities = SystemAuthorities([missing], elsewhere: [missing, other])
        #expect(authorities == .missing([missing, other]))
        let error = await #expect(throws: URLError.self) { try await send(to: nginx, authorities) }
        #expect(error?.localizedDescription.contains("at \(missing), \(other).") == true)
        #expect(try nginx.requestCount == 0)
    }

    @Test func `a libcurl with certificates or without reported locations uses its own locations`()
        async throws
    {
        let nginx = try await Nginx(.valid)
        #expect(SystemAuthorities([missing, nginx.authority.path], elsewhere: []) == .libcurl)
        #expect(SystemAuthorities(nil, elsewhere: [nginx.authority.path]) == .libcurl)
        let error = await #expect(throws: URLError.self) { try await send(to: nginx, .libcurl) }
        #expect(error?.localizedDescription.contains("certificates of authorities") == false)
    }
}
