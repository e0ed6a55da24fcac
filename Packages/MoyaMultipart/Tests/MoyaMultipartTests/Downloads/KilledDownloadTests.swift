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

/// What a process that is killed downloads, and where to.
private struct Assignment: Codable, Sendable {
    var url: URL
    var file: URL
    var connections: Int
    /// How many bytes are there when it is killed, by another thread and so at any point of what comes then.
    var byteCount: Int64
    /// How many microseconds after that.
    var delay: UInt32
}

/// Downloads, and never returns.
private func downloadUntilKilled(_ assignment: Assignment) async throws {
    let target = Transfer(baseURL: assignment.url, path: "/file", task: .requestPlain)
    let isMoribund = Locked(false)
    var options = ResumableDownloadOptions.eager(connections: assignment.connections)
    options.savingInterval = 50_000
    _ = try? await MoyaProvider<Transfer>(transport: CurlTransport()).resumableDownload(
        target, to: assignment.file, options: options
    ) { progress in
        // Slower than the server, so that there is something left to be killed in.
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
        // A busy machine may take as long to start a thread as the rest of the file takes to come.
        isThere.wait()
    }
    // Whole before its time: the same end for all.
    kill(getpid(), SIGKILL)
}

@Suite(.serialized, .seeded) struct KilledDownloadTests {
    @Test(arguments: [1, 4])
    func `a download killed at 20 points resumes to an identical file`(
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
            // Of what is missing still, so that most rounds find something to do.
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
                // It was quicker than its end: whole, and once more.
                #expect(try Data(contentsOf: file) == data)
                try FileManager.default.removeItem(at: file)
                continue
            }
            kills += 1
        }
        _ = try await origin.download(to: file, .eager(connections: connections))
        #expect(try Data(contentsOf: file) == data)
        #expect(folder.names == ["file"])
        // It did go on, rather than start over twenty times.
        #expect(origin.values("If-Range").count { $0 != nil } >= kills)
    }
}
