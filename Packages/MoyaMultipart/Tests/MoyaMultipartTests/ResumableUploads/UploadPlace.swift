import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// File, content and server of an upload test.
struct UploadPlace {
    let folder: TemporaryFolder
    let file: URL
    let data: Data
    let server: TusServer

    init() throws {
        data = noise(1_000_000)
        folder = try TemporaryFolder()
        file = try folder.file("file", data)
        server = try TusServer()
    }
}

/// Suite of upload tests with a common place.
protocol UploadSuite: Sendable {
    var place: UploadPlace { get }
}

extension UploadSuite {
    var folder: TemporaryFolder { place.folder }
    var file: URL { place.file }
    var data: Data { place.data }
    var server: TusServer { place.server }

    @discardableResult
    func upload(
        _ options: ResumableUploadOptions = .eager(), validation: ValidationType = .none,
        over carrier: Carrier = .curl,
        progress: (@Sendable (FileProgress) -> Void)? = nil
    ) async throws -> UploadedFile {
        var target = server.target
        target.validationType = validation
        return try await MoyaProvider<Transfer>(transport: carrier.transport)
            .resumableUpload(file, to: target, options: options, progress: progress)
    }

    /// Uploads until the server stops reading, then cancels. Later requests do not stall.
    func cancelAtStall(over carrier: Carrier = .curl) async throws {
        let (reached, isReached) = AsyncStream<Void>.makeStream()
        let stall = try #require(server.state.withLock { $0.stall })
        let task = Task {
            try await upload(over: carrier) { progress in
                if progress.completedBytes >= Int64(stall) { isReached.finish() }
            }
        }
        try await waitForEvent(in: reached)
        try await until { server.contents.first?.count == stall }
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect((error?.underlyingError as? URLError)?.code == .cancelled)
        server.state.withLock { $0.stall = nil }
    }
}

extension ResumableUploadOptions {
    /// Options without a delay between attempts.
    static func eager(attempts: Int = 3, chunkSize: Int64? = nil) -> ResumableUploadOptions {
        ResumableUploadOptions(
            metadata: ["filename": "ä.bin", "filetype": "application/octet-stream"],
            chunkSize: chunkSize,
            retry: TransferRetry(maximumRetries: attempts - 1, backoff: Backoff(base: 0)))
    }
}
