import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaMultipart
import MoyaTesting
import MoyaTransportCurl
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A target on a server that answers like httpbin.
struct Transfer: TargetType {
    var baseURL: URL
    var path: String
    var method = MoyaCore.Method.get
    var task: RequestTask
    var validationType = ValidationType.none
    var sampleData = Data("sample".utf8)
    var headers: [String: String]? { nil }
}

/// A folder that goes when it is no longer used.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "moya-test-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ data: Data = Data()) throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}

enum Carrier: String, CaseIterable {
    case curl, foundation

    var transport: any Transport {
        switch self {
        case .curl: CurlTransport()
        case .foundation: FoundationTransport()
        }
    }
}

private func pattern(_ count: Int) -> Data {
    Data((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0) })
}

@Suite struct FileUploadTests {
    @Test(arguments: Carrier.allCases, [0, 1, 3_000_001])
    func `uploads a file byte for byte`(carrier: Carrier, size: Int) async throws {
        let folder = try Folder()
        let file = try folder.file("upload", pattern(size))
        let server = try MockServer { request in
            .text(
                request.body == pattern(request.bodyLength) ? "same \(request.bodyLength)" : "other"
            )
        }
        defer { server.stop() }
        let provider = MoyaProvider<Transfer>(transport: carrier.transport)
        let last = Locked<Double>(0)
        let response = try await provider.request(
            Transfer(baseURL: server.url, path: "/put", method: .put, task: .uploadFile(file)),
            progress: { progress in last.withLock { $0 = progress.progress } })
        #expect(try response.mapString() == "same \(size)")
        #expect(last.withLock { $0 } == 1)
    }

    @Test(arguments: ["missing", "."])
    func `what is no file is an error that names it, before anything is sent`(name: String)
        async throws
    {
        let folder = try Folder()
        let file = folder.url.appendingPathComponent(name)
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<Transfer>(transport: transport)
        let target = Transfer(baseURL: folder.url, path: "/", method: .put, task: .uploadFile(file))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
        let cause = error?.underlyingError as? FileTransferError
        #expect(cause?.description.contains(folder.url.lastPathComponent) == true)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a URL that is no file URL is an error`() {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        let upload = FileUpload(
            file: URL(string: "http://a.test/file") ?? URL(fileURLWithPath: "/"))
        #expect(throws: FileTransferError.self) { try upload.makeBody(for: &request) }
    }

    @Test func `stubs check the file as well`() async {
        let provider = MoyaProvider<Transfer>(
            stubClosure: MoyaProvider.immediatelyStub,
            transport: StubTransport { try .stub(for: $0) })
        let target = Transfer(
            baseURL: URL(fileURLWithPath: "/"), path: "",
            task: .uploadFile(URL(fileURLWithPath: "/nowhere")))
        await #expect(throws: MoyaError.self) { try await provider.request(target) }
    }

    @Test func `uploads are equal by their files`() {
        let (one, other) = (URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b"))
        func endpoint(_ file: URL) -> Endpoint {
            Endpoint(
                url: "http://a.test", sampleResponseClosure: { .networkResponse(200, Data()) },
                method: .put,
                task: .uploadFile(file), httpHeaderFields: nil)
        }
        #expect(endpoint(one) == endpoint(one))
        #expect(endpoint(one) != endpoint(other))
    }
}

@Suite struct DownloadTests {
    private func download(
        _ path: String, to file: URL, options: DownloadOptions = [],
        validation: ValidationType = .none,
        from server: MockServer, over carrier: Carrier = .curl
    ) async throws -> Response {
        let target = Transfer(
            baseURL: server.url, path: path, task: .downloadDestination { _, _ in (file, options) },
            validationType: validation)
        return try await MoyaProvider<Transfer>(transport: carrier.transport).request(target)
    }

    @Test(arguments: Carrier.allCases, [0, 5_000_000])
    func `writes the body to its destination`(carrier: Carrier, size: Int) async throws {
        let folder = try Folder()
        let server = try MockServer()
        defer { server.stop() }
        let file = folder.url.appendingPathComponent("download")
        let response = try await download("/bytes/\(size)", to: file, from: server, over: carrier)
        #expect(response.fileURL == file)
        #expect(response.data.isEmpty)
        #expect(try Data(contentsOf: file) == pattern(size))
        #expect(folder.names == ["download"])
    }

    @Test func `the destination sees the response and the temporary file`() async throws {
        let folder = try Folder()
        let server = try MockServer()
        defer { server.stop() }
        let seen = Locked<(Int, Bool)>((0, false))
        let file = folder.url.appendingPathComponent("d")
        let target = Transfer(
            baseURL: server.url, path: "/bytes/3",
            task: .downloadDestination { temporary, response in
                seen.withLock {
                    $0 = (
                        response.statusCode, FileManager.default.fileExists(atPath: temporary.path)
                    )
                }
                return (file, [])
            })
        _ = try await MoyaProvider<Transfer>(transport: CurlTransport()).request(target)
        #expect(seen.withLock { $0 } == (200, true))
    }

    @Test func `a missing folder is an error unless it may be made`() async throws {
        let folder = try Folder()
        let server = try MockServer()
        defer { server.stop() }
        let file = folder.url.appendingPathComponent("a/b/download")
        await #expect(throws: MoyaError.self) {
            try await download("/bytes/3", to: file, from: server)
        }
        #expect(folder.names.isEmpty)
        _ = try await download(
            "/bytes/3", to: file, options: .createIntermediateDirectories, from: server)
        #expect(try Data(contentsOf: file) == pattern(3))
    }

    @Test func `a file that is there is an error unless it may go`() async throws {
        let folder = try Folder()
        let server = try MockServer()
        defer { server.stop() }
        let file = try folder.file("download", Data("old".utf8))
        let error = await #expect(throws: MoyaError.self) {
            try await download("/bytes/3", to: file, from: server)
        }
        #expect(
            (error?.underlyingError as? FileTransferError)?.description
                == "There is a file at \(file.path) already. Pass .removePreviousFile to replace it."
        )
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        _ = try await download("/bytes/3", to: file, options: .removePreviousFile, from: server)
        #expect(try Data(contentsOf: file) == pattern(3))
    }

    @Test func `a folder is never removed to make room`() async throws {
        let folder = try Folder()
        _ = try folder.file("precious")
        let server = try MockServer()
        defer { server.stop() }
        await #expect(throws: MoyaError.self) {
            try await download(
                "/bytes/3", to: folder.url, options: .removePreviousFile, from: server)
        }
        #expect(folder.names == ["precious"])
    }

    @Test(arguments: Carrier.allCases)
    func `a refused response reaches the caller and touches no destination`(carrier: Carrier)
        async throws
    {
        let folder = try Folder()
        let server = try MockServer { _ in .text("the reason", status: 404) }
        defer { server.stop() }
        let file = try folder.file("download", Data("old".utf8))
        let error = await #expect(throws: MoyaError.self) {
            try await download(
                "/", to: file, options: .removePreviousFile, validation: .successCodes,
                from: server, over: carrier)
        }
        #expect(error?.response?.statusCode == 404)
        #expect(error?.response?.data == Data("the reason".utf8))
        #expect(error?.response?.fileURL == nil)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
    }

    @Test func `the temporary file itself may be the destination`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let target = Transfer(
            baseURL: server.url, path: "/bytes/3",
            task: .downloadDestination { temporary, _ in (temporary, []) })
        let response = try await MoyaProvider<Transfer>(transport: CurlTransport()).request(target)
        let file = try #require(response.fileURL)
        #expect(try Data(contentsOf: file) == pattern(3))
        try FileManager.default.removeItem(at: file)
    }

    @Test func `parameters go where the encoding says`() async throws {
        let folder = try Folder()
        let server = try MockServer()
        defer { server.stop() }
        let file = folder.url.appendingPathComponent("d")
        let target = Transfer(
            baseURL: server.url, path: "/get",
            task: .downloadParameters(
                parameters: ["q": "a b"], encoding: URLEncoding.default,
                destination: { _, _ in (file, []) }))
        _ = try await MoyaProvider<Transfer>(transport: CurlTransport()).request(target)
        #expect(
            try JSONDecoder().decode(Echo.self, from: Data(contentsOf: file)).args == ["q": "a b"])
    }

    @Test func `a stub writes its sample to the destination`() async throws {
        let folder = try Folder()
        let file = folder.url.appendingPathComponent("d")
        let provider = MoyaProvider<Transfer>(
            stubClosure: MoyaProvider.immediatelyStub,
            transport: StubTransport { try .stub(for: $0) })
        let target = Transfer(
            baseURL: URL(string: "http://a.test") ?? folder.url, path: "/x",
            task: .downloadDestination { _, _ in (file, []) })
        let response = try await provider.request(target)
        #expect(response.fileURL == file)
        #expect(try Data(contentsOf: file) == Data("sample".utf8))
    }
}

@Suite struct SuggestedFilenameTests {
    static let names: [(String?, String, String)] = [
        ("attachment; filename=\"report.pdf\"", "/x", "report.pdf"),
        ("attachment; filename=report.pdf", "/x", "report.pdf"),
        ("attachment; FILENAME = \"a b.txt\"", "/x", "a b.txt"),
        ("attachment; filename=\"with \\\"quotes\\\".txt\"", "/x", "with \"quotes\".txt"),
        ("attachment; filename=\"semi;colon.txt\"; size=3", "/x", "semi;colon.txt"),
        ("attachment; filename=\"old.txt\"; filename*=UTF-8''na%C3%AFve.txt", "/x", "naïve.txt"),
        ("attachment; filename*=utf-8'de'%E2%82%AC.txt", "/x", "€.txt"),
        ("attachment; filename*=ISO-8859-1''x; filename=\"plain.txt\"", "/x", "plain.txt"),
        ("attachment; filename=\"../../etc/passwd\"", "/x", "passwd"),
        ("attachment; filename=\"..\\\\..\\\\boot.ini\"", "/x", "boot.ini"),
        ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fshadow", "/x", "shadow"),
        ("attachment; filename=\"/etc/cron.d/job\"", "/x", "job"),
        ("attachment; filename=\".bashrc\"", "/x", "bashrc"),
        ("attachment; filename=\"...\"", "/fallback.bin", "fallback.bin"),
        ("attachment; filename=\"a\u{0}b\u{1B}.txt\"", "/x", "ab.txt"),
        ("attachment; filename=\"\"", "/y.zip", "y.zip"),
        ("attachment", "/a/b%20c.tar.gz", "b c.tar.gz"), (nil, "/file.iso", "file.iso"),
        (nil, "/", "download"),
        ("filename", "/", "download"), (";;;=;", "/", "download"), (nil, "/a%2F..%2Fb", "b"),
        ("attachment; filename*=UTF-8''a%2F%CC%81b", "/x", "\u{301}b"),
    ]

    @Test(arguments: names)
    func `is taken from the header or the URL, and safe`(
        disposition: String?, path: String, expected: String
    ) throws {
        let url = try #require(URL(string: "http://a.test" + path))
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil,
                headerFields: disposition.map { ["Content-Disposition": $0] }))
        // Foundation may drop a value with control characters before anybody sees it.
        let dropped =
            response.value(forHTTPHeaderField: "Content-Disposition") == nil && disposition != nil
        #expect(SuggestedFilename(response).value == (dropped ? "x" : expected))
    }

    @Test func `is at most 255 bytes long`() throws {
        let url = try #require(
            URL(string: "http://a.test/" + String(repeating: "a", count: 300) + ".txt"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        #expect(SuggestedFilename(response).value.utf8.count == 255)
        #expect(SuggestedFilename(response).value.hasSuffix(".txt"))
    }

    @Test func `names a destination in a standard folder`() throws {
        let url = try #require(URL(string: "http://a.test/file.zip"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        let destination = suggestedDownloadDestination(
            for: .cachesDirectory, options: .removePreviousFile)
        let (file, options) = destination(URL(fileURLWithPath: "/tmp/x"), response)
        #expect(file.lastPathComponent == "file.zip")
        #expect(options == .removePreviousFile)
    }
}
