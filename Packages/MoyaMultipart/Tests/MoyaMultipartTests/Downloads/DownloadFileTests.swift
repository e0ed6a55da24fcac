import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The partial file and its state during a download.
@Suite struct DownloadFileTests: DownloadSuite {
    let place: DownloadPlace

    init() throws { place = try DownloadPlace() }

    @Test func `a download fails if another program extends its partial file`()
        async throws
    {
        let origin = try Origin(.init(data: data, cut: 200_000))
        let (part, length) = (part, off_t(data.count + 10))
        origin.resource.withLock { resource in
            resource.change = { response, request in
                if request.value(for: "Range") != nil { truncate(part.path, length) }
                return response
            }
        }
        let error = await #expect(throws: MoyaError.self) { try await origin.download(to: file) }
        #expect((error?.underlyingError as? DownloadError)?.reason == .inconsistentServer)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        origin.resource.withLock { $0.change = { response, _ in response } }
        try await origin.download(to: file)
        try expectWhole()
    }

    /// Number of bytes of the partial file that survive a loss of power, according to the saved
    /// state.
    private var syncedByteCount: Int64? {
        (try? Data(contentsOf: state)).flatMap {
            (try? JSONDecoder().decode(PartialState.self, from: $0))?.synced
        }
    }

    @Test func `a download saves its state after each 8 MiB by default`()
        async throws
    {
        let interval = 8 << 20
        let origin = try Origin(.init(data: noise(interval + 200_000), stall: interval + 100_000))
        let task = Task { try await origin.download(to: file, ResumableDownloadOptions()) }
        try await until { (syncedByteCount ?? 0) >= interval }
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
    }
}
