import Foundation
import MoyaCore
import MoyaInternals
import MoyaMultipart
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import MoyaTransportCurl
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
    func `a download is written to its destination`(carrier: Carrier, size: Int) async throws {
        let folder = try TemporaryFolder()
        let server = try MockServer()
        defer { server.stop() }
        let file = folder.url.appendingPathComponent("download")
        let response = try await download("/bytes/\(size)", to: file, from: server, over: carrier)
        #expect(response.fileURL == file)
        #expect(response.data.isEmpty)
        #expect(try Data(contentsOf: file) == pattern(size))
        #expect(folder.names == ["download"])
    }

    @Test
    func
        `endpoints of downloads are equal if their requests are equal, regardless of destinations`()
    {
        func endpoint(_ parameters: Parameters? = nil, to name: String) -> Endpoint {
            let destination: DownloadDestination = { temporary, _ in
                (temporary.deletingLastPathComponent().appendingPathComponent(name), [])
            }
            let task: RequestTask =
                if let parameters {
                    .downloadParameters(
                        parameters: parameters, encoding: URLEncoding.queryString,
                        destination: destination)
                } else {
                    .downloadDestination(destination)
                }
            return Endpoint(
                url: "http://a.test/file",
                sampleResponseClosure: { .networkResponse(200, Data()) }, method: .get,
                task: task, httpHeaderFields: nil)
        }
        #expect(endpoint(to: "one") == endpoint(to: "one"))
        #expect(endpoint(to: "one") == endpoint(to: "two"))
        #expect(endpoint(["a": 1, "b": 2], to: "one") == endpoint(["b": 2, "a": 1], to: "one"))
        #expect(endpoint(["a": 1], to: "one") != endpoint(["a": 2], to: "one"))
        #expect(endpoint(["a": 1], to: "one") != endpoint(to: "one"))
    }

    @Test
    func
        `the error for a download to a missing folder names the folder and the option to create it`()
        async throws
    {
        let folder = try TemporaryFolder()
        let server = try MockServer()
        defer { server.stop() }
        let missing = folder.url.appendingPathComponent("Documents")
        let error = await #expect(throws: MoyaError.self) {
            try await download("/bytes/3", to: missing.appendingPathComponent("d"), from: server)
        }
        let text =
            "There is no folder \(missing.path). Pass .createIntermediateDirectories to make it."
        #expect(error?.underlyingError?.localizedDescription == text)
        #expect(error?.localizedDescription.hasPrefix(text) == true)
        #expect(folder.names == [])
    }

    @Test func `a download to a fixed file in a missing folder is an error before any request`()
        async throws
    {
        let folder = try TemporaryFolder()
        let transport = StubTransport { try .stub(for: $0) }
        let missing = folder.url.appendingPathComponent("Documents")
        let target = Transfer(
            baseURL: URL(fileURLWithPath: "/"), path: "",
            task: .download(to: missing.appendingPathComponent("d")))
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Transfer>(transport: transport).request(target)
        }
        #expect(
            error?.localizedDescription
                == "There is no folder \(missing.path). Pass .createIntermediateDirectories to make it."
        )
        #expect(transport.requests.isEmpty)
    }

    @Test func `the error for a download that cannot be moved names its destination`() async throws
    {
        let folder = try TemporaryFolder()
        let server = try MockServer()
        defer { server.stop() }
        let file = try folder.file("file", Data()).appendingPathComponent("d")
        let error = await #expect(throws: MoyaError.self) {
            try await download("/bytes/3", to: file, from: server)
        }
        #expect(error?.localizedDescription.contains("\(file.path): Not a directory.") == true)
    }

    @Test func `the error for a second download named Unknown refers to SuggestedFilename`()
        async throws
    {
        let folder = try TemporaryFolder()
        let server = try MockServer()
        defer { server.stop() }
        // On Linux, HTTPURLResponse.suggestedFilename is "Unknown" for every response.
        let file = folder.url.appendingPathComponent("Unknown")
        _ = try await download("/bytes/3", to: file, from: server)
        let error = await #expect(throws: MoyaError.self) {
            try await download("/bytes/3", to: file, from: server)
        }
        let text = try #require(error?.localizedDescription)
        #expect(text.hasPrefix("There is a file at \(file.path) already."))
        #expect(text.contains("take SuggestedFilename(response).value."))
    }

    @Test func `a destination closure receives the response and the temporary file`() async throws {
        let folder = try TemporaryFolder()
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

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a download is not moved on the thread that carries requests`()
        async throws
    {
        let folder = try TemporaryFolder()
        let server = try MockServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let threads = Locked<[String?]>([])
        let file = folder.url.appendingPathComponent("d")
        let target = Transfer(
            baseURL: server.url, path: "/bytes/3",
            task: .downloadDestination { _, _ in
                threads.withLock { $0.append(Thread.current.name) }
                return (file, [])
            })
        try await withTaskExecutorPreference(transport.taskExecutor) {
            threads.withLock { $0.append(Thread.current.name) }
            _ = try await MoyaProvider<Transfer>(transport: transport).request(target)
            threads.withLock { $0.append(Thread.current.name) }
        }
        let names = threads.withLock { $0 }
        try #require(names.count == 3)
        #expect(names[0] == names[2])
        #expect(names[0] != names[1], "The disk may keep it for long.")
    }

    @Test func `a missing folder is an error unless intermediate directories may be created`()
        async throws
    {
        let folder = try TemporaryFolder()
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

    @Test func `an existing file is an error unless it may be replaced`() async throws {
        let folder = try TemporaryFolder()
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

    @Test func `a folder at the destination is never removed`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("precious", Data())
        let server = try MockServer()
        defer { server.stop() }
        await #expect(throws: MoyaError.self) {
            try await download(
                "/bytes/3", to: folder.url, options: .removePreviousFile, from: server)
        }
        #expect(folder.names == ["precious"])
    }

    @Test(arguments: Carrier.allCases)
    func `a refused response reaches the caller and leaves the destination untouched`(
        carrier: Carrier
    )
        async throws
    {
        let folder = try TemporaryFolder()
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

    @Test func `the temporary file may be the destination of a download`() async throws {
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

    @Test func `download parameters are sent in their given encoding`() async throws {
        let folder = try TemporaryFolder()
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

    @Test func `a stubbed download writes its sample to the destination`() async throws {
        let folder = try TemporaryFolder()
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

    @Test(arguments: Carrier.allCases)
    func `a download in progress has a temporary name in the destination's folder`(
        carrier: Carrier
    ) async throws {
        let folder = try TemporaryFolder()
        let server = try MockServer { _ in
            MockResponse(body: .pattern(byteCount: 100_000)).truncated(after: 50_000, then: .stall)
        }
        defer { server.stop() }
        let file = folder.url.appendingPathComponent("new/download")
        let target = Transfer(
            baseURL: server.url, path: "/",
            task: .download(to: file, options: .createIntermediateDirectories))
        let names = Locked<[String]>([])
        let request = Task {
            let provider = MoyaProvider<Transfer>(transport: carrier.transport)
            for try await _ in provider.progress(of: target) {
                let found = try? FileManager.default.contentsOfDirectory(
                    atPath: file.deletingLastPathComponent().path)
                // The last report may arrive after the folder has been emptied.
                names.withLock { if $0.isEmpty { $0 = found ?? [] } }
            }
        }
        _ = try await server.waitForRequests(1)
        try await until { names.withLock { !$0.isEmpty } }
        request.cancel()
        _ = await request.result
        let name = try #require(names.withLock { $0 }.first)
        #expect(name.hasPrefix(".moya-") && name.hasSuffix(".download"))
        // The loop ends at once. The transport removes the file later, when it processes the
        // cancellation.
        try await until {
            try FileManager.default.contentsOfDirectory(
                atPath: file.deletingLastPathComponent().path
            ).isEmpty
        }
    }

    @Test func `an obstacle at a known destination fails the download before any request`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = try folder.file("download", Data("old".utf8))
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<Transfer>(transport: transport)
        for (place, options) in [(file, DownloadOptions()), (folder.url, .removePreviousFile)] {
            let target = Transfer(
                baseURL: try #require(URL(string: "http://a.test")), path: "/",
                task: .download(to: place, options: options))
            let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
            #expect(error?.underlyingError is FileTransferError)
        }
        #expect(transport.requests.isEmpty)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
    }
}
