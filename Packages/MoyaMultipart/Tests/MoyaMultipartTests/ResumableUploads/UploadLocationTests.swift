import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

/// Upload locations that are not valid HTTP URLs.
@Suite struct UploadLocationTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let location = Locked("/files/1")
    private let creationStatus = Locked(201)
    private let headStatus = Locked(200)

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.file("file", noise(100_000))
    }

    /// Returns a tus server that resets the connection of the first PATCH.
    private func server() throws -> MockServer {
        let isFirst = Locked(true)
        let (location, headStatus, creationStatus) = (location, headStatus, creationStatus)
        return try MockServer { request in
            switch request.method {
            case "POST":
                let created = MockResponse(status: creationStatus.withLock { $0 })
                return location.withLock { $0.isEmpty ? created : created.adding("Location", $0) }
            case "PATCH":
                let isLost = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                guard !isLost else { return .silence(then: .reset) }
                return MockResponse(status: 200).adding("Upload-Offset", "100000")
            default:
                return MockResponse(status: headStatus.withLock { $0 })
                    .adding("Upload-Offset", "0")
            }
        }
    }

    private func upload(to server: MockServer, attempts: Int = 1) async throws {
        var options = ResumableUploadOptions.eager(attempts: attempts)
        options.allowsOtherOrigins = true
        let target = Transfer(baseURL: server.url, path: "files", task: .requestPlain)
        _ = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableUpload(file, to: target, options: options)
    }

    @Test(arguments: [
        "ftp://127.0.0.1/file", "file:///etc/hostname", "mailto:a@b", "http://", "http:///x",
        "data:,x", "",
    ])
    func `a Location that is not an HTTP URL is an error and is not saved`(text: String)
        async throws
    {
        let server = try server()
        defer { server.stop() }
        location.withLock { $0 = text }
        for _ in 0..<2 {
            let error = await #expect(throws: MoyaError.self) { try await upload(to: server) }
            #expect((error?.underlyingError as? UploadError)?.reason == .inconsistentServer)
            #expect(folder.names == ["file"])
        }
        location.withLock { $0 = "/files/1" }
        try await upload(to: server, attempts: 3)
        #expect(
            server.requests.map(\.method) == ["POST", "POST", "POST", "PATCH", "HEAD", "PATCH"])
    }

    // The creation extension of tus 1.0 demands 201. The client tus-js-client takes each 2xx with a
    // Location (`inStatusCategory(status, 200)` in its upload.js).
    @Test(arguments: [200, 201, 202], [true, false])
    func `a creation needs a Location, and its status may be 200, 201 or 202`(
        status: Int, hasLocation: Bool
    ) async throws {
        let server = try server()
        defer { server.stop() }
        creationStatus.withLock { $0 = status }
        if hasLocation {
            try await upload(to: server, attempts: 3)
            #expect(server.requests.map(\.method) == ["POST", "PATCH", "HEAD", "PATCH"])
        } else {
            location.withLock { $0 = "" }
            let error = await #expect(throws: MoyaError.self) { try await upload(to: server) }
            #expect((error?.underlyingError as? UploadError)?.reason == .inconsistentServer)
        }
    }

    @Test(arguments: [204, 400, 404, 413])
    func `a creation with another status than 200, 201 or 202 is an error`(status: Int)
        async throws
    {
        let server = try server()
        defer { server.stop() }
        creationStatus.withLock { $0 = status }
        let error = await #expect(throws: MoyaError.self) { try await upload(to: server) }
        #expect(error?.response?.statusCode == status)
        #expect(server.requests.allSatisfy { $0.method != "PATCH" })
    }

    @Test(arguments: [400, 405, 409, 414, 428, 430, 431, 499])
    func `an upload whose saved URL the server rejects is created again`(status: Int)
        async throws
    {
        let server = try server()
        defer { server.stop() }
        await #expect(throws: MoyaError.self) { try await upload(to: server) }
        headStatus.withLock { $0 = status }
        try await upload(to: server)
        #expect(server.requests.map(\.method) == ["POST", "PATCH", "HEAD", "POST", "PATCH"])
    }

    // RFC 9110, sections 15.5.2, 15.5.8 and 15.5.9; RFC 4918, section 11.3; RFC 8470, section 5.2;
    // RFC 6585, section 4.
    @Test(arguments: [401, 407, 408, 423, 425, 429])
    func `an upload whose saved URL the server rejects temporarily resumes later`(status: Int)
        async throws
    {
        let server = try server()
        defer { server.stop() }
        await #expect(throws: MoyaError.self) { try await upload(to: server) }
        headStatus.withLock { $0 = status }
        let error = await #expect(throws: MoyaError.self) { try await upload(to: server) }
        #expect(error?.response?.statusCode == status)
        headStatus.withLock { $0 = 200 }
        try await upload(to: server)
        #expect(server.requests.map(\.method) == ["POST", "PATCH", "HEAD", "HEAD", "PATCH"])
    }

    @Test(arguments: ["ftp:\\/\\/127.0.0.1\\/x", "file:\\/\\/\\/etc\\/hostname", "http:"])
    func `a saved upload URL that is not an HTTP URL is not used`(text: String) async throws {
        let server = try server()
        defer { server.stop() }
        await #expect(throws: MoyaError.self) { try await upload(to: server) }
        let name = try #require(folder.names.first { $0.hasSuffix("moya-upload.json") })
        let state = folder.url.appendingPathComponent(name)
        let json = try String(contentsOf: state, encoding: .utf8)
        let saved = "http://127.0.0.1:\(server.port)/files/1"
        #expect(json.contains(saved))
        try Data(
            json.replacingOccurrences(
                of: saved, with: text.replacingOccurrences(of: "\\", with: "")
            ).utf8
        ).write(to: state)
        try await upload(to: server)
        #expect(server.requests.map(\.method) == ["POST", "PATCH", "POST", "PATCH"])
    }
}
