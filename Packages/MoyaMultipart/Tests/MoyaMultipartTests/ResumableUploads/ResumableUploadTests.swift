import Foundation
@_spi(MoyaInternals) import MoyaCore
@_spi(MoyaInternals) import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private let data = noise(1_000_000)

extension ResumableUploadOptions {
    /// Without a pause between attempts.
    static func eager(attempts: Int = 3, chunkSize: Int64? = nil) -> ResumableUploadOptions {
        ResumableUploadOptions(
            metadata: ["filename": "ä.bin", "filetype": "application/octet-stream"],
            chunkSize: chunkSize, retry: TransferRetry(attempts: attempts, delay: 0))
    }
}

@Suite struct ResumableUploadTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let server: TusServer

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.file("file", data)
        server = try TusServer()
    }

    @discardableResult
    private func upload(
        _ options: ResumableUploadOptions = .eager(), validation: ValidationType = .none,
        over carrier: Carrier = .curl,
        progress: (@Sendable (FileProgress) -> Void)? = nil
    ) async throws -> UploadedFile {
        var target = server.target
        target.validationType = validation
        return try await MoyaProvider<Transfer>(transport: carrier.transport)
            .resumableUpload(file, to: target, options: options, progress: progress)
    }

    @Test(arguments: ["", "file name", "a,b", "größe", "a\r\nX-Evil: 1"])
    func `a name of metadata that cannot be sent is refused`(name: String) async throws {
        var options = ResumableUploadOptions.eager()
        options.metadata = [name: "value"]
        let error = await #expect(throws: MoyaError.self) { try await upload(options) }
        #expect((error?.underlyingError as? UploadError)?.reason == .metadataName)
        #expect(server.contents.isEmpty)
    }

    private func cancelAtStall(over carrier: Carrier = .curl) async throws {
        let (reached, isReached) = AsyncStream<Void>.makeStream()
        let stall = try #require(server.state.withLock { $0.stall })
        let task = Task {
            try await upload(over: carrier) { progress in
                if progress.completedBytes >= Int64(stall) { isReached.finish() }
            }
        }
        for await _ in reached {}
        while server.contents.first?.count != stall { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
        server.state.withLock { $0.stall = nil }
    }

    @Test(arguments: Carrier.allCases)
    func `a file arrives whole, and nothing else is left`(carrier: Carrier) async throws {
        let result = try await upload(over: carrier)
        #expect(server.contents == [data])
        #expect(server.log == ["POST /files", "PATCH /files/1 0"])
        #expect(result.url.path == "/files/1")
        #expect(result.byteCount == 1_000_000)
        #expect(result.resumedFrom == 0)
        #expect(folder.names == ["file"])
        #expect(
            server.state.withLock { $0.uploads["/files/1"]?.metadata }
                == "filename w6QuYmlu,filetype YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt")
    }

    @Test func `where no state can be written, it goes on after a lost connection nevertheless`()
        async throws
    {
        server.state.withLock { $0.cut = 600_000 }
        var options = ResumableUploadOptions.eager()
        options.stateFolder = folder.url.appendingPathComponent("missing")
        try await upload(options)
        #expect(server.contents == [data])
        #expect(
            server.log == [
                "POST /files", "PATCH /files/1 0", "HEAD /files/1", "PATCH /files/1 600000",
            ])
    }

    @Test func `an empty file is created and that is all`() async throws {
        try Data().write(to: file)
        try await upload()
        #expect(server.contents == [Data()])
        #expect(server.log == ["POST /files"])
    }

    @Test(arguments: Carrier.allCases)
    func `after each lost connection it goes on with what the server has`(carrier: Carrier)
        async throws
    {
        server.state.withLock { $0.cut = 300_000 }
        try await upload(over: carrier)
        #expect(server.contents == [data])
        #expect(
            server.log == [
                "POST /files", "PATCH /files/1 0", "HEAD /files/1", "PATCH /files/1 300000",
                "HEAD /files/1", "PATCH /files/1 600000", "HEAD /files/1", "PATCH /files/1 900000",
            ])
    }

    @Test func `pieces without a bound go on like any other`() async throws {
        server.state.withLock { $0.cut = 600_000 }
        try await upload(.eager(chunkSize: .max))
        #expect(server.contents == [data])
        #expect(server.log.last == "PATCH /files/1 600000")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a pipe in the place of the file is an error, and is not waited for`() throws {
        let identity = try FileIdentity(file)
        let slice = FileSlice(file: file, identity: identity, range: 0..<identity.size) { _ in }
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(file.path, 0o600) == 0)
        #expect(throws: FileTransferError.notAFile(file)) { try FileSlice.Chunks(slice: slice) }
    }

    @Test func `a file may go in pieces`() async throws {
        try await upload(.eager(chunkSize: 400_000))
        #expect(server.contents == [data])
        #expect(
            server.log == [
                "POST /files", "PATCH /files/1 0", "PATCH /files/1 400000", "PATCH /files/1 800000",
            ])
    }

    @Test(arguments: Carrier.allCases)
    func `what was cancelled goes on later`(carrier: Carrier) async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall(over: carrier)
        #expect(folder.names.count == 2)
        let result = try await upload()
        #expect(result.resumedFrom == 300_000)
        #expect(server.contents == [data])
        #expect(server.log.dropFirst(2) == ["HEAD /files/1", "PATCH /files/1 300000"])
        #expect(folder.names == ["file"])
    }

    @Test(arguments: [noise(1_000_000, seed: 2), noise(900_000, seed: 3)])
    func `a file that has changed since is uploaded from its beginning`(new: Data) async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        try new.write(to: file)
        let result = try await upload()
        #expect(result.resumedFrom == 0)
        #expect(server.state.withLock { $0.uploads["/files/2"]?.data } == new)
    }

    @Test(arguments: ["grows", "shrinks", "is written to", "is replaced", "goes"])
    func `a file that changes meanwhile is an error, and forgotten`(what: String) async throws {
        let isDone = Locked(false)
        let error = await #expect(throws: MoyaError.self) {
            try await upload(.eager(chunkSize: 300_000)) { [file] progress in
                let isTime = isDone.withLock { isDone in
                    defer { isDone = isDone || progress.completedBytes >= 600_000 }
                    return !isDone && progress.completedBytes >= 600_000
                }
                guard isTime else { return }
                let handle = try? FileHandle(forUpdating: file)
                switch what {
                case "grows":
                    _ = try? handle?.seekToEnd()
                    try? handle?.write(contentsOf: Data([1]))
                case "shrinks": try? handle?.truncate(atOffset: 700_000)
                case "is written to": try? handle?.write(contentsOf: Data([1]))
                case "is replaced": try? data.write(to: file, options: .atomic)
                default: try? FileManager.default.removeItem(at: file)
                }
                try? handle?.close()
            }
        }
        if what == "goes" {
            #expect(
                error?.underlyingError is FileTransferError || error?.underlyingError is UploadError
            )
        } else {
            #expect((error?.underlyingError as? UploadError)?.reason == .fileChanged)
        }
        #expect(!folder.names.contains { $0.hasSuffix("upload.json") } || what == "goes")
    }

    @Test func `what the server has forgotten is uploaded anew`() async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        server.state.withLock { $0.uploads = [:] }
        try await upload()
        #expect(server.contents == [data])
        server.state.withLock { state in
            state.uploads = [:]
            state.cut = 600_000
        }
        try await upload { [state = server.state] progress in
            // Gone while it is on its way.
            if progress.completedBytes >= 500_000 {
                state.withLock { state in
                    if state.cut != nil { state.uploads = [:] }
                    state.cut = nil
                }
            }
        }
        #expect(server.contents == [data])
    }

    @Test(arguments: [409, 423, 460, 503], [ValidationType.none, .successCodes])
    func `a server that is busy or of another opinion is asked`(
        status: Int, validation: ValidationType
    ) async throws {
        if status == 503 {
            server.state.withLock { $0.refusals = [status] }
            // Creating it is tried again as well.
            try await upload(validation: validation)
        } else {
            let isFirst = Locked(true)
            try await upload(.eager(chunkSize: 500_000), validation: validation) {
                [state = server.state] _ in
                let isTime = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isTime { state.withLock { $0.refusals = [status] } }
            }
        }
        #expect(server.contents == [data])
    }

    @Test(arguments: [400, 401, 404, 412, 500])
    func `an upload that cannot be created is an error with the answer in it`(status: Int)
        async throws
    {
        server.state.withLock { $0.refusals = Array(repeating: status, count: 3) }
        let error = await #expect(throws: MoyaError.self) { try await upload() }
        #expect(error?.response?.statusCode == status)
        #expect(server.log.count == (status == 500 ? 3 : 1))
    }

    @Test func `nothing goes to another origin unless it may`() async throws {
        let other = try MockServer()
        defer { other.stop() }
        server.state.withLock { $0.origin = "http://127.0.0.1:\(other.port)" }
        let error = await #expect(throws: MoyaError.self) { try await upload() }
        #expect((error?.underlyingError as? UploadError)?.reason == .otherOrigin)
        #expect(other.requests.isEmpty)
        var options = ResumableUploadOptions.eager()
        options.allowsOtherOrigins = true
        await #expect(throws: MoyaError.self) { try await upload(options) }
        #expect(other.requests.first?.method == "PATCH")
    }

    private struct Token: PluginType {
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
            return request
        }
    }

    /// Creates uploads, and redirects what `isRedirected` says to the tus server.
    private func entry(
        redirecting isRedirected: @escaping @Sendable (MockRequest) -> Bool
    ) throws -> MockServer {
        let location = server.target.baseURL.appendingPathComponent("files/1").absoluteString
        return try MockServer { request in
            if isRedirected(request) { return .redirect(to: location, status: 307) }
            return request.method == "HEAD"
                ? MockResponse().adding("Upload-Offset", "0")
                : MockResponse(status: 201).adding("Location", "/files/1")
        }
    }

    @Test(arguments: Carrier.allCases, ["POST", "PATCH"])
    func `a redirect to another origin is not followed, unless it may be`(
        carrier: Carrier, method: String
    ) async throws {
        server.state.withLock {
            $0.uploads["/files/1"] = .init(length: data.count, metadata: nil)
        }
        let entry = try entry { $0.method == method }
        defer { entry.stop() }
        let provider = MoyaProvider<Transfer>(transport: carrier.transport, plugins: [Token()])
        let target = Transfer(
            baseURL: entry.url, path: "files", task: .requestPlain, validationType: .successCodes)
        var options = ResumableUploadOptions.eager()
        let error = await #expect(throws: MoyaError.self) {
            try await provider.resumableUpload(file, to: target, options: options)
        }
        #expect((error?.underlyingError as? UploadError)?.reason == .otherOrigin)
        #expect(server.log == [])
        guard method == "PATCH" else { return }
        options.allowsOtherOrigins = true
        _ = try await provider.resumableUpload(file, to: target, options: options)
        #expect(server.contents == [data])
        // A redirect takes no credentials anywhere.
        #expect(server.state.withLock(\.credentials) == [nil])
    }

    @Test func `a redirect within the origin is followed`() async throws {
        let entry = try MockServer { request in
            switch (request.method, request.path) {
            case ("POST", "/files"): .redirect(to: "/new", status: 307)
            case ("POST", _): MockResponse(status: 201).adding("Location", "/files/1")
            default:
                MockResponse(status: 204).adding("Upload-Offset", "\(request.bodyLength)")
            }
        }
        defer { entry.stop() }
        let target = Transfer(baseURL: entry.url, path: "files", task: .requestPlain)
        let result = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableUpload(file, to: target, options: .eager())
        #expect(result.url.path == "/files/1")
        #expect(entry.requests.map(\.method) == ["POST", "POST", "PATCH"])
    }

    @Test func `what is no file is an error before anything is sent`() async throws {
        try FileManager.default.removeItem(at: file)
        let error = await #expect(throws: MoyaError.self) { try await upload() }
        #expect(error?.underlyingError is FileTransferError)
        #expect(server.log.isEmpty)
    }

    @Test func `the state may be kept elsewhere`() async throws {
        let elsewhere = try TemporaryFolder()
        var options = ResumableUploadOptions.eager()
        options.stateFolder = elsewhere.url
        server.state.withLock { $0.cut = 0 }
        await #expect(throws: MoyaError.self) { try await upload(options) }
        #expect(folder.names == ["file"])
        #expect(elsewhere.names.count == 1)
        server.state.withLock { $0.cut = nil }
        try await upload(options)
        #expect(elsewhere.names.isEmpty)
        #expect(server.contents == [data])
    }

    @Test(
        arguments: geteuid() == 0 ? ["another user's", "a link", "a pipe"] : ["a link", "a pipe"])
    func `a state that others can have put there is not used`(what: String) async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        let name = try #require(folder.names.first { $0.hasSuffix("moya-upload.json") })
        let state = folder.url.appendingPathComponent(name)
        switch what {
        case "a link":
            let kept = folder.url.appendingPathComponent("kept")
            try FileManager.default.moveItem(at: state, to: kept)
            try FileManager.default.createSymbolicLink(at: state, withDestinationURL: kept)
        case "a pipe":
            unlink(state.path)
            try #require(mkfifo(state.path, 0o600) == 0)
        default: try #require(chown(state.path, 65_534, gid_t.max) == 0)
        }
        let result = try await upload()
        #expect(result.resumedFrom == 0)
        #expect(server.log.dropFirst(2) == ["POST /files", "PATCH /files/2 0"])
    }

    @Test func `progress counts from what the server has, and ends at the end`() async throws {
        server.state.withLock { $0.stall = 300_000 }
        try await cancelAtStall()
        let reports = Locked<[FileProgress]>([])
        try await upload { report in reports.withLock { $0.append(report) } }
        #expect(reports.withLock { $0.first?.completedBytes } == 300_000)
        #expect(reports.withLock { $0.last?.fractionCompleted } == 1)
    }
}
