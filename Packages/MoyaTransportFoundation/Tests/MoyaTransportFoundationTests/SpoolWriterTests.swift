import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct SpoolWriterTests {
    @Test func `cancelling a spool writer does not wait for the disk`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let writer = SpoolWriter(try NewFile(file))
        let disk = try SlowDisk(for: file)
        let chunk = Data(count: 1 << 20)
        let body = RequestBodyStream {
            AsyncStream<Data> { continuation in
                continuation.yield(chunk)
                continuation.finish()
            }
        }
        let task = Task { try await writer.run(body, by: nil) }
        // On a dispatch queue: the writer occupies a thread of the cooperative pool, which may have
        // no other.
        let isFree = await DiskWork.perform {
            disk.take(1)
            let cancelled = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                writer.cancel()
                cancelled.signal()
            }
            // Far longer than a cancellation takes, unless it waits for the disk.
            let isFree = cancelled.wait(timeout: .now() + 60) == .success
            disk.take(chunk.count - 1)
            return isFree
        }
        #expect(isFree)
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a body stream that pauses is written whole, and its file closed`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let writer = SpoolWriter(try NewFile(file))
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        let task = Task { try await writer.run(RequestBodyStream { chunks }, by: nil) }
        continuation.yield(Data("first ".utf8))
        try await until { try Data(contentsOf: file).count == 6 }
        continuation.yield(Data("last".utf8))
        continuation.finish()
        try await task.value
        #expect(try Data(contentsOf: file) == Data("first last".utf8))
        #expect(try descriptor(of: file) == nil)
    }

    @Test func `a body stream cancelled before it is read leaves no spool file`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let writer = SpoolWriter(try NewFile(file))
        writer.cancel()
        let body = RequestBodyStream {
            Issue.record("The body is read.")
            return AsyncStream<Data> { nil }
        }
        let error = await #expect(throws: URLError.self) { try await writer.run(body, by: nil) }
        #expect(error?.code == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}

/// The descriptor of an open file. `nil` if this process has not opened it.
private func descriptor(of file: URL) throws -> Int32? {
    var (wanted, found) = (stat(), stat())
    try #require(stat(file.path, &wanted) == 0)
    return (0..<Int32(getdtablesize())).first {
        fstat($0, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
    }
}

/// Pipe in place of an open file. Writing blocks while the pipe is full.
private final class SlowDisk: Sendable {
    private let output: Int32

    /// Replaces the descriptor of `file` with the pipe.
    init(for file: URL) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        output = ends[0]
        defer { close(ends[1]) }
        let descriptor = try #require(try descriptor(of: file))
        try #require(dup2(ends[1], descriptor) == descriptor)
    }

    deinit { close(output) }

    /// Reads `count` bytes, waiting for them if necessary.
    func take(_ count: Int) {
        var buffer = [UInt8](repeating: 0, count: count)
        var taken = 0
        while taken < count {
            let more = read(output, &buffer, count - taken)
            guard more > 0 else { return }
            taken += more
        }
    }
}
