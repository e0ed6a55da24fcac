import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import Testing

@testable import MoyaMultipart

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Download of a child process that is killed.
private struct Assignment: Codable, Sendable {
    var url: URL
    var file: URL
    var connections: Int
    /// Number of bytes present when another thread starts the delay before the kill.
    var byteCount: Int64
    /// Delay before the kill, in microseconds.
    var delay: UInt32
}

/// Downloads the file, and kills the process during or after the download.
private func downloadUntilKilled(_ assignment: Assignment) async throws {
    let target = Transfer(baseURL: assignment.url, path: "/file", task: .requestPlain)
    let isMoribund = Locked(false)
    var options = ResumableDownloadOptions.eager(connections: assignment.connections)
    options.savingInterval = 50_000
    _ = try? await MoyaProvider<Transfer>(transport: CurlTransport()).resumableDownload(
        target, to: assignment.file, options: options
    ) { progress in
        // Slows the client down, so that the kill happens during the download.
        usleep(1000)
        guard progress.completedBytes >= assignment.byteCount else { return }
        let isFirst = isMoribund.withLock { isMoribund in
            defer { isMoribund = true }
            return !isMoribund
        }
        guard isFirst else { return }
        let isThere = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            isThere.signal()
            usleep(assignment.delay)
            kill(getpid(), SIGKILL)
        }
        // Waits for the thread to start, because on a busy machine that may take longer than the
        // rest of the download.
        isThere.wait()
    }
    // The download has completed before the kill: the process ends the same way.
    kill(getpid(), SIGKILL)
}

@Suite(.serialized, .seeded) struct KilledDownloadTests {
    @Test(arguments: [1, 4])
    func `a download killed at 20 random points resumes and the file is identical`(
        connections: Int
    ) async throws {
        let size = 8_000_000
        let data = noise(size)
        let origin = try Origin(data)
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        var random = SeededGenerator(case: connections)
        var kills = 0
        var rounds = 0
        while kills < 20 {
            rounds += 1
            try #require(rounds <= 1000, "Too quick to be killed.")
            // Each round is killed in a later twentieth of the file, so that most rounds have bytes
            // to download.
            let byteCount =
                Int64(size) * Int64(kills) / 20 + .random(in: 1...Int64(size / 20), using: &random)
            let assignment = Assignment(
                url: origin.server.url, file: file, connections: connections, byteCount: byteCount,
                delay: .random(in: 0...3000, using: &random))
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [assignment = assignment as Assignment] in
                try await downloadUntilKilled(assignment)
            }
            guard !FileManager.default.fileExists(atPath: file.path) else {
                // The download has completed before the kill: check the file and repeat the round.
                #expect(try Data(contentsOf: file) == data)
                try FileManager.default.removeItem(at: file)
                continue
            }
            kills += 1
        }
        _ = try await origin.download(to: file, .eager(connections: connections))
        #expect(try Data(contentsOf: file) == data)
        #expect(folder.names == ["file"])
        // Expects resumed downloads, not twenty downloads from the beginning.
        #expect(origin.values("If-Range").count { $0 != nil } >= kills)
    }
}
