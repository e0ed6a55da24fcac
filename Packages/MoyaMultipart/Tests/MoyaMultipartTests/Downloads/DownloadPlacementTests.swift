import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Objects that occupy the destination or the partial file of a download.
@Suite struct DownloadPlacementTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    @Test func `symbolic links in place of a download's files are not followed`()
        async throws
    {
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

    @Test func `only one download at a time uses a destination`() async throws {
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

    @Test func `obstacles to a resumable download are errors before any request`() async throws {
        let origin = try Origin(data)
        let missing = folder.url.appendingPathComponent("missing/file")
        let lost = await #expect(throws: MoyaError.self) { try await origin.download(to: missing) }
        let cause = lost?.underlyingError as? FileTransferError
        #expect(cause == .noFolder(missing.deletingLastPathComponent()))
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

    @Test func `a partial file with a second hard link is never written to`() async throws {
        let origin = try Origin(.init(data: data, stall: 100_000))
        try await origin.downloadPart(100_000, to: file)
        // State after a kill between link and unlink.
        let old = noise(300_000, seed: 3)
        try old.write(to: part)
        try FileManager.default.linkItem(at: part, to: folder.url.appendingPathComponent("done"))
        origin.resource.withLock { $0.stall = nil }
        try await origin.download(to: file)
        #expect(try Data(contentsOf: file) == data)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("done")) == old)
    }
}
