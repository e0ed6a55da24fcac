import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers that compress a file although the request asks for no content coding (RFC 9110, section
/// 12.5.3: a server may disregard Accept-Encoding).
@Suite struct CodedDownloadTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace(for: noise(200_000) + Data(count: 100_000)) }

    /// Returns a server that always sends gzip.
    private func compressing() throws -> Origin {
        let origin = try Origin(.init(data: data, takesRanges: false))
        origin.resource.withLock { resource in
            resource.change = { response, _ in response.compressed(.gzip) }
        }
        return origin
    }

    @Test(arguments: Carrier.allCases)
    func `a file that the server always compresses is saved decoded, as by a download task`(
        carrier: Carrier
    ) async throws {
        let origin = try compressing()
        let result = try await origin.download(to: file, over: carrier)
        try expectWhole()
        #expect(result.byteCount == Int64(data.count))
        #expect(result.restart == nil)
        #expect(origin.values("Accept-Encoding").count == 2)
        #expect(origin.values("Accept-Encoding").first == "identity")
        #expect(origin.values("Accept-Encoding").last != "identity")

        let other = folder.url.appendingPathComponent("other")
        var target = origin.target
        target.task = .download(to: other)
        _ = try await MoyaProvider<Transfer>(transport: carrier.transport).request(target)
        #expect(try Data(contentsOf: other) == data)
    }

    @Test(arguments: Carrier.allCases)
    func `a compressed download that breaks starts again and reports the Content-Encoding`(
        carrier: Carrier
    ) async throws {
        let origin = try compressing()
        let count = Locked(0)
        origin.resource.withLock { resource in
            resource.change = { response, _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // The first response is read only to its header fields.
                return number == 2
                    ? response.compressed(.gzip).truncated(after: 100_000)
                    : response.compressed(.gzip)
            }
        }
        let restarts = Locked<[TransferRestart]>([])
        let result = try await origin.download(to: file, over: carrier) { progress in
            if let restart = progress.restart { restarts.withLock { $0.append(restart) } }
        }
        try expectWhole()
        #expect(result.restart == .compressed)
        #expect(restarts.withLock { $0 } == [.compressed])
        #expect(origin.values("Range") == [nil, nil, nil])
    }

    @Test func `a checksum of a compressed download is that of the decoded file`() async throws {
        let origin = try compressing()
        var options = ResumableDownloadOptions.eager()
        options.checksum = try Checksum(.sha256, digest: Digester.digest(.sha256, of: data))
        try await origin.download(to: file, options)
        try expectWhole()
    }

    @Test(arguments: Carrier.allCases)
    func `a range response with a Content-Encoding restarts, and the file is saved decoded`(
        carrier: Carrier
    ) async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file, over: carrier)
        origin.resource.withLock { resource in
            resource.stall = nil
            resource.change = { response, _ in response.compressed(.gzip) }
        }
        let result = try await origin.download(to: file, over: carrier)
        try expectWhole()
        #expect(result.restart?.reason == .serverChanged)
    }
}
