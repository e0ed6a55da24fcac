import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

@Suite struct ParallelDownloadTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace(for: noise(400_000)) }

    @Test(arguments: Carrier.allCases)
    func `a large file is downloaded over several connections with one range each`(carrier: Carrier)
        async throws
    {
        let origin = try Origin(data)
        // No range is answered before all three have been requested.
        let gate = Gate(width: 3)
        origin.resource.withLock { resource in
            resource.change = { response, request in
                if request.value(for: "Range") != nil { gate.pass() }
                return response
            }
        }
        let result = try await origin.download(
            to: file, .eager(connections: 4), over: carrier)
        try expectWhole()
        #expect(result.receivedByteCount == 400_000)
        #expect(
            Set(origin.values("Range")) == [
                nil, "bytes=100000-199999", "bytes=200000-299999", "bytes=300000-399999",
            ])
        #expect(origin.server.connectionCount >= 3)
    }

    @Test func `a small file, or a file on a server without ranges, uses one connection`()
        async throws
    {
        var options = ResumableDownloadOptions.eager(connections: 4)
        options.minimumSegment = 300_000
        let origin = try Origin(data)
        try await origin.download(to: file, options)
        #expect(origin.values("Range") == [nil])
        try expectWhole()
        let other = folder.url.appendingPathComponent("other")
        let plain = try Origin(.init(data: data, takesRanges: false))
        try await plain.download(to: other, .eager(connections: 4))
        #expect(plain.values("Range") == [nil])
    }

    @Test(arguments: [(2_000_000, 1), (2_200_000, 2)])
    func `by default each connection of a download has a MiB or more`(
        size: Int, connections: Int
    ) async throws {
        let data = noise(size)
        let origin = try Origin(data)
        let options = ResumableDownloadOptions(
            connections: 4, retry: TransferRetry(maximumRetries: 2, backoff: Backoff(base: 0)))
        try await origin.download(to: file, options)
        try expectWhole(data)
        #expect(Set(origin.values("Range")).count == connections)
    }

    @Test(arguments: Carrier.allCases)
    func `each range of a parallel download resumes after its lost connections`(carrier: Carrier)
        async throws
    {
        let origin = try Origin(.init(data: data, cut: 30_000))
        let result = try await origin.download(
            to: file, .eager(connections: 4), over: carrier)
        try expectWhole()
        #expect(result.receivedByteCount == 400_000)
        #expect(origin.server.requests.count == 16)
    }

    @Test func `a cancelled parallel download resumes every range over any number of connections`()
        async throws
    {
        for connections in [1, 2, 8] {
            let origin = try Origin(.init(data: data, stall: 60_000))
            try await origin.downloadPart(240_000, to: file, .eager(connections: 4))
            origin.resource.withLock { $0.stall = nil }
            let result = try await origin.download(to: file, .eager(connections: connections))
            try expectWhole()
            #expect(result.receivedByteCount == 160_000)
            let later = origin.values("Range").dropFirst(4)
            #expect(
                Set(later) == [
                    "bytes=60000-99999", "bytes=160000-199999", "bytes=260000-299999",
                    "bytes=360000-399999",
                ])
            try FileManager.default.removeItem(at: file)
        }
    }

    @Test func `a partial download of one connection resumes over several`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        origin.resource.withLock { $0.stall = nil }
        let result = try await origin.download(to: file, .eager(connections: 3))
        try expectWhole()
        #expect(result.receivedByteCount == 300_000)
        #expect(
            Set(origin.values("Range")) == [
                nil, "bytes=100000-", "bytes=200000-299999", "bytes=300000-399999",
            ])
    }

    @Test func `a file that changes during a parallel download is downloaded from the beginning`()
        async throws
    {
        let new = noise(350_000, seed: 2)
        let origin = try Origin(.init(data: data, cut: 60_000))
        let count = Locked(0)
        origin.resource.withLock { resource in
            resource.change = { [resource = origin.resource] response, _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number > 5 else { return response }
                // From here on, this and all later requests receive the new file.
                resource.withLock { $0 = .init(data: new, tag: "\"two\"", cut: 60_000) }
                return MockResponse(body: .data(new)).adding("ETag", "\"two\"")
            }
        }
        try await origin.download(to: file, .eager(connections: 4))
        try expectWhole(new)
    }

    @Test func `the checksum of a parallel download covers the whole file`() async throws {
        let origin = try Origin(data)
        var options = ResumableDownloadOptions.eager(connections: 4)
        options.checksum = try Checksum(.sha512, of: folder.file("reference", data))
        try await origin.download(to: file, options)
        #expect(try Data(contentsOf: file) == data)
    }

    @Test(arguments: Carrier.allCases)
    func `a wrong digest of one range fails the parallel download and leaves no files`(
        carrier: Carrier
    ) async throws {
        let digest = "sha-256=:\(Data(repeating: 7, count: 32).base64EncodedString()):"
        for part in ["bytes=100000-199999", "bytes=300000-399999"] {
            let origin = try Origin(data)
            origin.resource.withLock { resource in
                resource.change = { response, request in
                    if request.value(for: "Range") == part {
                        return response.adding("Content-Digest", digest)
                    }
                    // Slow, so that the other ranges are still arriving.
                    var slow = response
                    slow.bytesPerSecond = 50_000
                    return slow
                }
            }
            let error = await #expect(throws: MoyaError.self) {
                try await origin.download(to: file, .eager(connections: 4), over: carrier)
            }
            let cause = error?.underlyingError as? DownloadError
            #expect(cause?.reason == .checksumMismatch)
            #expect(folder.names == [])
        }
    }

    @Test(arguments: Carrier.allCases, [503, 429])
    func `a server that allows fewer connections than the download uses delivers the whole file`(
        carrier: Carrier, status: Int
    ) async throws {
        let server = try CrowdedServer(data, status: status)
        // A single attempt: a refused connection cannot retry and has to be dropped.
        _ = try await MoyaProvider<Transfer>(transport: carrier.transport).resumableDownload(
            server.target, to: file, options: .eager(attempts: 1, connections: 4)
        ) { server.clientHas($0.completedBytes) }
        try expectWhole()
    }

    @Test func `a file whose servers send different entity tags is downloaded over one connection`()
        async throws
    {
        let origin = try Origin(data)
        let count = Locked(0)
        origin.resource.withLock { resource in
            resource.change = { response, request in
                guard request.value(for: "Range") == nil else {
                    return MockResponse(body: .data(data)).adding("ETag", "\"other\"")
                }
                count.withLock { $0 += 1 }
                return response
            }
        }
        try await origin.download(to: file, .eager(attempts: 1, connections: 4))
        try expectWhole()
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `a 503 response when a parallel download starts over is retried`() async throws {
        let origin = try Origin(data)
        // No range is answered before all three have been requested.
        let gate = Gate(width: 3)
        let beginnings = Locked(0)
        origin.resource.withLock { resource in
            resource.change = { response, request in
                if let range = request.value(for: "Range") {
                    gate.pass()
                    guard range == "bytes=300000-399999" else { return response }
                    return MockResponse(body: .data(data)).adding("ETag", "\"other\"")
                }
                let number = beginnings.withLock { beginnings in
                    beginnings += 1
                    return beginnings
                }
                if number == 2 { return .text("busy", status: 503) }
                var slow = response
                slow.bytesPerSecond = number == 1 ? 200_000 : nil
                return slow
            }
        }
        try await origin.download(to: file, .eager(connections: 4))
        try expectWhole()
        #expect(beginnings.withLock { $0 } == 3)
    }

    @Test func `a rejected range fails a parallel download, and a new attempt completes it`()
        async throws
    {
        let origin = try Origin(.init(data: data, stall: 60_000))
        origin.resource.withLock { resource in
            resource.change = { response, request in
                request.value(for: "Range") == "bytes=300000-399999"
                    ? .text("gone", status: 403) : response
            }
        }
        let error = await #expect(throws: MoyaError.self) {
            try await origin.download(to: file, .eager(connections: 4))
        }
        #expect(error?.response?.statusCode == 403)
        origin.resource.withLock { $0 = .init(data: data) }
        try await origin.download(to: file, .eager(connections: 4))
        try expectWhole()
    }
}
