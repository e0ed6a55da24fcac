import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ResumableDownloadTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    @Test(arguments: [0, 1, 300_000], Carrier.allCases)
    func `a resumable download arrives whole and leaves no other files`(size: Int, carrier: Carrier)
        async throws
    {
        let origin = try Origin(noise(size))
        let result = try await origin.download(to: file, over: carrier)
        #expect(result.byteCount == Int64(size))
        #expect(result.receivedByteCount == Int64(size))
        #expect(result.head.statusCode == 200)
        #expect(origin.values("Range") == [nil])
        try expectWhole(noise(size))
    }

    @Test(arguments: Carrier.allCases)
    func `after each lost connection a download resumes at the next byte`(carrier: Carrier)
        async throws
    {
        let origin = try Origin(.init(data: data, cut: 70_000))
        let result = try await origin.download(to: file, over: carrier)
        try expectWhole()
        #expect(result.receivedByteCount == 300_000)
        #expect(
            origin.values("Range") == [
                nil, "bytes=70000-", "bytes=140000-", "bytes=210000-", "bytes=280000-",
            ])
        #expect(origin.values("If-Range").dropFirst().allSatisfy { $0 == "\"one\"" })
        #expect(origin.values("Accept-Encoding").allSatisfy { $0 == "identity" })
    }

    @Test(arguments: Carrier.allCases)
    func `a cancelled download resumes later`(carrier: Carrier) async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file, over: carrier)
        #expect(PartialDownload.exists(for: file))
        origin.resource.withLock { $0.stall = nil }
        let result = try await origin.download(to: file, over: carrier)
        try expectWhole()
        #expect(origin.values("Range") == [nil, "bytes=100000-"])
        #expect(result.receivedByteCount == 200_000)
        #expect(result.head.statusCode == 206)
        #expect(!PartialDownload.exists(for: file))
    }

    @Test func `a TLS handshake that fails after an earlier response is retried`() async throws {
        let origin = try Origin(.init(data: data, cut: 200_000))
        func download(failing failures: [Int]) async throws {
            let transport = FailingHandshakes(failures)
            _ = try await MoyaProvider<Transfer>(transport: transport)
                .resumableDownload(origin.target, to: file, options: .eager())
        }
        let error = await #expect(throws: MoyaError.self) { try await download(failing: [1]) }
        #expect((error?.underlyingError as? URLError)?.code == .secureConnectionFailed)
        #expect(origin.server.requests.isEmpty)
        try await download(failing: [2])
        try expectWhole()
        #expect(origin.values("Range") == [nil, "bytes=200000-"])
        try FileManager.default.removeItem(at: file)
        await #expect(throws: MoyaError.self) { try await download(failing: [2, 3, 4]) }
    }

    @Test func `after a loss of power only the synchronised bytes of a partial file are kept`()
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        // A loss of power can leave a file with its length, but without its content.
        try (try Data(contentsOf: part) + Data(count: 50_000)).write(to: part)
        let boot = try #require(BootSession.current)
        let json = try String(contentsOf: state, encoding: .utf8)
        #expect(json.contains(boot))
        try Data(json.replacingOccurrences(of: boot, with: "before").utf8).write(to: state)
        origin.resource.withLock { $0.stall = nil }
        let result = try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range") == [nil, "bytes=100000-"])
        #expect(result.receivedByteCount == 200_000)
    }

    @Test func `a complete partial file is verified by requesting its last byte`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        let names = folder.names
        origin.resource.withLock { $0.stall = nil }
        try data.write(to: part)
        let result = try await origin.download(to: file)
        try expectWhole()
        #expect(names == [".file.moya-part", ".file.moya-part.json"])
        #expect(origin.values("Range") == [nil, "bytes=299999-"])
        #expect(result.receivedByteCount == 1)
    }

    @Test(arguments: [("film", "film", "bytes=100000-"), (nil, nil, nil), ("film", "other", nil)])
    func `a download with another query resumes if its identity option is the same`(
        first: String?, second: String?, range: String?
    ) async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        var options = ResumableDownloadOptions.eager()
        options.identity = first
        try await origin.downloadPart(100_000, to: file, options)
        origin.resource.withLock { $0.stall = nil }
        options.identity = second
        var target = origin.target
        target.task = .requestParameters(
            parameters: ["signature": "another"], encoding: URLEncoding.queryString)
        _ = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file, options: options)
        try expectWhole()
        #expect(origin.values("Range") == [nil, range])
    }

    @Test(arguments: ["", "{", "{\"version\":1}", "older version", "another URL"])
    func `an unusable saved download state is ignored`(text: String) async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        var json = text
        if text.contains(" ") {
            json = try String(contentsOf: state, encoding: .utf8)
            let (old, new) =
                text == "another URL" ? ("\"source\":\"", "\"source\":\"0") : (":1}", ":2}")
            #expect(json.contains(old))
            json = json.replacingOccurrences(of: old, with: new)
        }
        try Data(json.utf8).write(to: state)
        origin.resource.withLock { $0.stall = nil }
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range") == [nil, nil])
    }

    @Test func `download progress counts each byte once and ends at 1`() async throws {
        let origin = try Origin(.init(data: data, cut: 120_000))
        let reports = Locked<[FileProgress]>([])
        try await origin.download(to: file) { report in reports.withLock { $0.append(report) } }
        let counts = reports.withLock { $0.map(\.completedBytes) }
        #expect(counts == counts.sorted())
        #expect(reports.withLock { $0.last?.fractionCompleted } == 1)
        #expect(reports.withLock { $0.allSatisfy { $0.totalBytes == 300_000 } })
    }

    @Test func `plugins see each attempt of a resumable download, and stubs can be downloaded`()
        async throws
    {
        final class Stamp: PluginType {
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                var request = request
                request.setValue("yes", forHTTPHeaderField: "X-Stamp")
                return request
            }
        }
        let origin = try Origin(.init(data: data, cut: 200_000))
        let provider = MoyaProvider<Transfer>(transport: CurlTransport(), plugins: [Stamp()])
        _ = try await provider.resumableDownload(origin.target, to: file, options: .eager())
        #expect(origin.values("X-Stamp") == ["yes", "yes"])
        let stubbed = MoyaProvider<Transfer>(
            stubClosure: MoyaProvider.immediatelyStub,
            transport: StubTransport { try .stub(for: $0) })
        let other = folder.url.appendingPathComponent("other")
        _ = try await stubbed.resumableDownload(origin.target, to: other)
        #expect(try Data(contentsOf: other) == Data("sample".utf8))
    }
}
