import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Destination of the downloads of a test.
struct DownloadPlace {
    let folder: TemporaryFolder
    let file: URL
    /// Content of the file on the server by default.
    let data: Data

    init(for data: Data = noise(300_000)) throws {
        self.data = data
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("file")
    }
}

/// Suite of download tests with a common place.
protocol DownloadSuite {
    var place: DownloadPlace { get }
}

extension DownloadSuite {
    var folder: TemporaryFolder { place.folder }
    var file: URL { place.file }
    var data: Data { place.data }
    /// Partial file and its state.
    var part: URL { folder.url.appendingPathComponent(".file.moya-part") }
    var state: URL { folder.url.appendingPathComponent(".file.moya-part.json") }

    /// Expects the complete file, and no other file in the folder.
    func expectWhole(
        _ expected: Data? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            try Data(contentsOf: file) == expected ?? data, sourceLocation: sourceLocation)
        #expect(folder.names == ["file"], sourceLocation: sourceLocation)
    }
}

extension ResumableDownloadOptions {
    /// Options without a delay between attempts.
    static func eager(attempts: Int = 3, connections: Int = 1) -> ResumableDownloadOptions {
        var options = ResumableDownloadOptions(
            connections: connections,
            retry: TransferRetry(maximumRetries: attempts - 1, backoff: Backoff(base: 0)))
        options.minimumSegment = 1000
        options.savingInterval = 20_000
        return options
    }
}

/// Transport that fails the TLS handshake of the given requests. The first request is number 1.
final class FailingHandshakes: Transport {
    private let base = CurlTransport()
    private let failures: [Int]
    private let count = Locked(0)

    init(_ failures: [Int]) { self.failures = failures }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard !failures.contains(number) else { throw URLError(.secureConnectionFailed) }
        return try await base.send(request)
    }
}

extension Origin {
    @discardableResult
    func download(
        to file: URL, _ options: ResumableDownloadOptions = .eager(),
        validation: ValidationType = .none, over carrier: Carrier = .curl,
        progress: (@Sendable (FileProgress) -> Void)? = nil
    ) async throws -> DownloadedFile {
        var target = target
        target.validationType = validation
        return try await MoyaProvider<Transfer>(transport: carrier.transport)
            .resumableDownload(target, to: file, options: options, progress: progress)
    }

    /// Downloads until `byteCount` bytes have arrived, then cancels.
    func downloadPart(
        _ byteCount: Int, to file: URL, _ options: ResumableDownloadOptions = .eager(),
        over carrier: Carrier = .curl
    ) async throws {
        let (reached, isReached) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await self.download(to: file, options, over: carrier) { progress in
                if progress.completedBytes >= Int64(byteCount) { isReached.finish() }
            }
        }
        try await waitForEvent(in: reached)
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
