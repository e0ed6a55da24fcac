import Foundation
@_spi(MoyaInternals) import MoyaCore
@_spi(MoyaInternals) import MoyaTesting
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private let data = noise(300_000)

@Suite struct ResumableDownloadTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace(for: data) }

    @Test(arguments: [0, 1, 300_000], Carrier.allCases)
    func `a file arrives whole, and nothing else is left`(size: Int, carrier: Carrier) async throws
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
    func `after each lost connection it goes on with the next byte`(carrier: Carrier) async throws {
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
    func `what was cancelled goes on later`(carrier: Carrier) async throws {
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

    @Test func `a handshake that fails once the server has answered is tried again`() async throws {
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

    @Test func `what has changed in between is fetched anew`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        let new = noise(250_000, seed: 2)
        origin.resource.withLock { $0 = .init(data: new, tag: "\"two\"") }
        try await origin.download(to: file)
        try expectWhole(new)
        #expect(origin.values("If-Range") == [nil, "\"one\""])
    }

    @Test
    func `a change between two connections is noticed, whatever the server makes of If-Range`()
        async throws
    {
        let new = noise(300_000, seed: 2)
        let origin = try Origin(.init(data: data, cut: 100_000))
        origin.resource.withLock { resource in
            resource.change = { [resource = origin.resource] response, request in
                guard request.value(for: "Range") == nil else { return response }
                // From now on another file, parts of which are sent whatever the condition.
                resource.withLock {
                    $0 = .init(data: new, tag: "\"two\"")
                    $0.change = { response, request in
                        guard let range = request.value(for: "Range") else { return response }
                        let start = Int(range.dropFirst(6).dropLast()) ?? 0
                        return MockResponse(status: 206, body: .data(new[start...]))
                            .adding("ETag", "\"two\"").adding(
                                "Content-Range", "bytes \(start)-299999/300000")
                    }
                }
                return response
            }
        }
        try await origin.download(to: file)
        try expectWhole(new)
        #expect(origin.values("Range") == [nil, "bytes=100000-", nil])
    }

    @Test func `after a loss of power only what was on the disk counts`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        // Longer than what was written, with nothing in it: what a disk may be left with.
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

    @Test func `a server that knows no ranges sends the whole file again`() async throws {
        let origin = try Origin(.init(data: data, takesRanges: false, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { $0.stall = nil }
        let result = try await origin.download(to: file)
        try expectWhole()
        #expect(result.receivedByteCount == 300_000)
    }

    @Test func `a file of unknown length that was there already ends with 416`() async throws {
        let origin = try Origin(.init(data: data, stall: 300_000, isChunked: true))
        try await origin.downloadPart(300_000, to: file)
        origin.resource.withLock { $0.stall = nil }
        let result = try await origin.download(to: file)
        try expectWhole()
        #expect(result.head.statusCode == 416)
        #expect(origin.values("Range") == [nil, "bytes=300000-"])
    }

    @Test func `of a file that is shorter now, what is there is thrown away`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        // The same tag: a server that is wrong about its own file.
        origin.resource.withLock { $0 = .init(data: data.prefix(50_000)) }
        try await origin.download(to: file, validation: .successCodes)
        try expectWhole(data.prefix(50_000))
        #expect(origin.values("Range") == [nil, "bytes=100000-", nil])
    }

    @Test func `all but its name is asked for by its last byte`() async throws {
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

    static let unreliable: [(tag: String?, lastModified: String?)] = [
        ("W/\"one\"", nil), ("W/\"one\"", "Fri, 20 Nov 2026 10:00:00 GMT"), (nil, nil),
        ("one", nil), (nil, "Sat, 21 Nov 2026 09:59:30 GMT"), (nil, "yesterday"),
    ]

    @Test(arguments: unreliable)
    func `without a strong validator nothing is resumed`(tag: String?, lastModified: String?)
        async throws
    {
        let origin = try Origin(
            .init(data: data, tag: tag, lastModified: lastModified, stall: 100_000))
        try await origin.downloadPart(100_000, to: file, .eager(connections: 4))
        origin.resource.withLock { $0.stall = nil }
        try await origin.download(to: file, .eager(connections: 4))
        try expectWhole()
        #expect(origin.values("Range") == [nil, nil])
        #expect(origin.values("If-Range") == [nil, nil])
    }

    @Test func `a date that is old enough is a validator`() async throws {
        let date = "Fri, 20 Nov 2026 10:00:00 GMT"
        let origin = try Origin(.init(data: data, tag: nil, lastModified: date, cut: 200_000))
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("If-Range") == [nil, date])
    }

    @Test(arguments: [
        "", "bytes 100001-299999/300000", "bytes 99999-299999/300000", "bytes 100000-299999/300001",
        "bytes 100000-300000/300001", "bytes */300000", "bytes 0-299999/300000", "items 1-2/3",
        "coded", "without a tag",
    ])
    func `a part that is not the one asked for is not used`(field: String) async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { resource in
            resource.stall = nil
            resource.change = { response, request in
                guard request.value(for: "Range") != nil else { return response }
                let wrong = MockResponse(status: 206, body: .data(data[100_000...]))
                let tagged = wrong.adding("ETag", "\"one\"")
                if field == "coded" {
                    return tagged.adding("Content-Range", "bytes 100000-299999/300000")
                        .adding("Content-Encoding", "br")
                }
                if field == "without a tag" {
                    return wrong.adding("Content-Range", "bytes 100000-299999/300000")
                }
                return field.isEmpty ? tagged : tagged.adding("Content-Range", field)
            }
        }
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range") == [nil, "bytes=100000-", nil])
    }

    @Test func `answers that never fit together are an error`() async throws {
        let origin = try Origin(.init(data: data, cut: 100_000))
        origin.resource.withLock { resource in
            resource.change = { response, request in
                request.value(for: "Range") == nil ? response : MockResponse(status: 416)
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .inconsistentServer)
    }

    @Test func `more bytes than announced are an error`() async throws {
        let origin = try Origin(.init(data: data, cut: 100_000))
        origin.resource.withLock { resource in
            resource.change = { response, request in
                guard request.value(for: "Range") != nil else { return response }
                return MockResponse(status: 206, body: .data(noise(200_001)))
                    .adding("Content-Range", "bytes 100000-299999/300000")
                    .adding("ETag", "\"one\"")
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .inconsistentServer)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a server that is overloaded is asked again, and one that says no is not`()
        async throws
    {
        let origin = try Origin(data)
        let busy = MockResponse.text("busy", status: 503).adding("Retry-After", "0")
        origin.resource.withLock { $0.refusals = [busy, busy] }
        try await origin.download(to: file)
        try expectWhole()

        origin.resource.withLock { $0.refusals = [.text("the reason", status: 404)] }
        for validation in [ValidationType.none, .successCodes] {
            origin.resource.withLock { $0.refusals = [.text("the reason", status: 404)] }
            let other = folder.url.appendingPathComponent("other")
            let error = await #expect(throws: MoyaError.self) {
                try await origin.download(to: other, validation: validation)
            }
            #expect(error?.response?.statusCode == 404)
            #expect(error?.response?.data == Data("the reason".utf8))
            #expect(!FileManager.default.fileExists(atPath: other.path))
        }
        #expect(origin.server.requests.count == 5)
    }

    @Test func `attempts that bring nothing are counted, and what is there is kept`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { resource in
            resource.change = { _, _ in .silence(then: .reset) }
        }
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file, .eager(attempts: 4))
        }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(origin.server.requests.count == 5)
        origin.resource.withLock { $0 = .init(data: data) }
        try await origin.download(to: file)
        try expectWhole()
        #expect(origin.values("Range").last == "bytes=100000-")
    }

    @Test(arguments: [nil, "\"one\""])
    func `a server that never sends it all and never goes on is given up`(tag: String?)
        async throws
    {
        let origin = try Origin(.init(data: data, tag: tag, takesRanges: false, cut: 100_000))
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(origin.server.requests.count == 3)
    }

    @Test func `a coding nobody asked for does not count, and is not checked as if it did`()
        async throws
    {
        let origin = try Origin(Data())
        origin.resource.withLock { resource in
            resource.change = { _, _ in
                .compressedZeros(300_000).adding("ETag", "\"one\"")
                    .adding("Repr-Digest", "sha-256=:\(Data(count: 32).base64EncodedString()):")
            }
        }
        // libcurl does not decode what it has not asked for. That is no reason to fail.
        for carrier in Carrier.allCases {
            try await origin.download(to: file, over: carrier)
            #expect(folder.names == ["file"])
            try FileManager.default.removeItem(at: file)
        }
    }

    @Test(arguments: ["", "{", "{\"version\":1}", "older version", "another URL"])
    func `a state that cannot be used is not used`(text: String) async throws {
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

    @Test func `half a file is that of one query, even where another's has the same tag`()
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        let new = noise(300_000, seed: 2)
        origin.resource.withLock { $0 = .init(data: new) }
        var target = origin.target
        target.task = .requestParameters(
            parameters: ["page": 2], encoding: URLEncoding.queryString)
        _ = try await MoyaProvider<Transfer>(transport: CurlTransport())
            .resumableDownload(target, to: file)
        try expectWhole(new)
        #expect(origin.values("Range") == [nil, nil])
    }

    @Test func `links that somebody has put in its place are not written through`() async throws {
        let origin = try Origin(.init(data: data, cut: 200_000))
        let precious = try folder.file("precious", Data("old".utf8))
        for link in [state, state.appendingPathExtension("new")] {
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: precious)
        }
        try await origin.download(to: file)
        #expect(try Data(contentsOf: precious) == Data("old".utf8))
        let part = folder.url.appendingPathComponent(".other.moya-part")
        try FileManager.default.createSymbolicLink(at: part, withDestinationURL: precious)
        try await origin.download(to: folder.url.appendingPathComponent("other"))
        #expect(try Data(contentsOf: precious) == Data("old".utf8))
    }

    @Test func `one at a time downloads to a place`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        let task = Task { try await origin.download(to: file) }
        _ = try await origin.server.waitForRequests(1)
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .inUse)
        #expect(throws: DownloadError.self) { try PartialDownload.discard(for: file) }
        task.cancel()
        _ = await task.result
        try PartialDownload.discard(for: file)
        #expect(folder.names == [])
    }

    @Test func `what is in the way is told before anything is sent`() async throws {
        let origin = try Origin(data)
        let missing = folder.url.appendingPathComponent("missing/file")
        let lost = await #expect(throws: MoyaError.self) { try await origin.download(to: missing) }
        let text = (lost?.underlyingError as? FileTransferError)?.description
        #expect(text?.contains("missing/.file.moya-part: No such file or directory.") == true)
        let old = try folder.file("file", Data("old".utf8))
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect(error?.underlyingError is FileTransferError)
        var post = origin.target
        post.method = .post
        let other = folder.url.appendingPathComponent("other")
        let provider = MoyaProvider<Transfer>(transport: CurlTransport())
        let refusal = await #expect(throws: MoyaError.self) {
            try await provider.resumableDownload(post, to: other)
        }
        #expect((refusal?.underlyingError as? DownloadError)?.reason == .notResumable)
        #expect(origin.server.requests.isEmpty)
        var options = ResumableDownloadOptions.eager()
        options.placement = [.removePreviousFile, .createIntermediateDirectories]
        try await origin.download(to: old, options)
        try expectWhole()
        try await origin.download(to: folder.url.appendingPathComponent("a/b/c"), options)
    }

    @Test func `a half file that has its final name as well is never written to`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        // Killed between the two steps of the move.
        let old = noise(300_000, seed: 3)
        try old.write(to: part)
        try FileManager.default.linkItem(at: part, to: folder.url.appendingPathComponent("done"))
        origin.resource.withLock { $0.stall = nil }
        try await origin.download(to: file)
        #expect(try Data(contentsOf: file) == data)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("done")) == old)
    }

    @Test func `the right checksums are right, and a wrong one leaves nothing behind`()
        async throws
    {
        let right = try Checksum(.sha256, of: folder.file("reference", data))
        let base64 = right.digest.base64EncodedString()
        let other = Data(repeating: 7, count: 32)
        for (given, field, isRight) in [
            (right.digest, "", true), (nil, "Repr-Digest", true), (nil, "Content-Digest", true),
            (other, "", false), (nil, "Repr-Digest: wrong", false),
            (nil, "Content-Digest: wrong", false),
        ] as [(Data?, String, Bool)] {
            let origin = try Origin(data)
            let name = field.prefix { $0 != ":" }
            let sent = isRight ? base64 : other.base64EncodedString()
            origin.resource.withLock { resource in
                resource.change = { response, _ in
                    name.isEmpty ? response : response.adding(String(name), "sha-256=:\(sent):")
                }
            }
            var options = ResumableDownloadOptions.eager()
            options.checksum = try given.map { try Checksum(.sha256, digest: $0) }
            options.placement = .removePreviousFile
            if isRight {
                try await origin.download(to: file, options)
                #expect(try Data(contentsOf: file) == data)
                try FileManager.default.removeItem(at: file)
            } else {
                let error = await #expect(throws: MoyaError.self, "\(field)") {
                    try await origin.download(to: file, options)
                }
                let cause = error?.underlyingError as? DownloadError
                #expect(cause?.reason == .checksumMismatch, "\(field)")
            }
            #expect(folder.names == ["reference"], "\(field)")
        }
    }

    @Test func `progress counts each byte once, and ends at the end`() async throws {
        let origin = try Origin(.init(data: data, cut: 120_000))
        let reports = Locked<[FileProgress]>([])
        try await origin.download(to: file) { report in reports.withLock { $0.append(report) } }
        let counts = reports.withLock { $0.map(\.completedBytes) }
        #expect(counts == counts.sorted())
        #expect(reports.withLock { $0.last?.fractionCompleted } == 1)
        #expect(reports.withLock { $0.allSatisfy { $0.totalBytes == 300_000 } })
    }

    @Test func `plugins see each attempt, and stubs are downloads as well`() async throws {
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
