import Foundation
import MoyaCore
import MoyaMultipart
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Resumable transfers under every single fault and random pairs of faults.
@Suite(.seeded) struct TransferExplorationTests {
    private struct Film: TargetType {
        var path: String
        var baseURL: URL { url("https://films.test") }
        var method: MoyaCore.Method { .get }
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { ["Authorization": "Bearer s3cret"] }
        var timeoutInterval: TimeInterval? { 30 }
        var validationType: ValidationType { .successCodes }
    }

    /// Every single fault, and as many random pairs as the time of a test allows.
    private static var options: ExplorationOptions {
        var options = ExplorationOptions()
        let runs = ProcessInfo.processInfo.environment["MOYA_EXPLORATION_RUNS"].flatMap { Int($0) }
        options.runs = runs ?? 250
        if runs != nil { options.seconds = 3600 }
        options.seed = SeededGenerator.processSeed
        return options
    }

    private static let film = noise(40_000, seed: 7)

    /// Result of a download.
    private struct Download: Sendable {
        let data: Data
        let names: [String]
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Sendable private static func download(_ network: ExploredNetwork) async throws -> Download {
        let file = network.folder.appendingPathComponent("film")
        if !FileManager.default.fileExists(atPath: file.path) {
            let whole = network.temporaryFolder.appendingPathComponent("whole")
            try film.write(to: whole)
            let checksum = try Checksum(.sha256, of: whole)
            try FileManager.default.removeItem(at: whole)
            let options = ResumableDownloadOptions(checksum: checksum, clock: network.clock)
            defer { network.note(.completion("download")) }
            _ = try await MoyaProvider<Film>(transport: network)
                .resumableDownload(Film(path: "film"), to: file, options: options) { progress in
                    network.note(.progress(Double(progress.completedBytes), of: "download"))
                }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: network.folder.path)
        return Download(data: try Data(contentsOf: file), names: names)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a resumable download completes or fails cleanly under random pairs of faults`()
        async throws
    {
        let report = try await explore(
            depth: 2, options: Self.options, server: { TransferServer(film: Self.film) }
        ) {
            try await Self.download($0)
        } holding: { run in
            run.ends(within: .seconds(600))
            run.keepsSecret("s3cret")
            run.leavesNothingBehind()
            run.completesOnce("download")
            // A download whose bytes are wrong starts again.
            if !run.changesBytes { run.progressIsMonotone() }
            run.check("the file is whole") { run.value.map { $0.data == Self.film } ?? true }
            run.check("no part is left beside a whole file") {
                run.value.map { $0.names == ["film"] } ?? true
            }
            run.check("errors are MoyaErrors") {
                run.error.map { $0 is MoyaError } ?? true || run.isCancelled
            }
        }
        #expect(!report.neverTested.contains("progress never goes back"))
        #expect(report.completeDepth >= 1)
        #expect(report.unrepeatable == 0)
        #expect(!report.usesOtherThreads)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Sendable private static func upload(_ network: ExploredNetwork) async throws -> UploadedFile {
        let file = network.folder.appendingPathComponent("film")
        if !network.isRestart { try film.write(to: file) }
        let options = ResumableUploadOptions(chunkSize: 20_000, clock: network.clock)
        return try await MoyaProvider<Film>(transport: network)
            .resumableUpload(file, to: Film(path: "files"), options: options)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `a resumable upload completes or fails cleanly under random pairs of faults`()
        async throws
    {
        let report = try await explore(
            depth: 2, options: Self.options, server: { TransferServer(film: Self.film) }
        ) {
            try await Self.upload($0)
        } holding: { run in
            run.ends(within: .seconds(600))
            run.keepsSecret("s3cret")
            run.leavesNothingBehind()
            run.check("the server has the file") {
                run.value == nil || run.server.uploads.contains(Self.film)
            }
            run.check("the server has nothing that is not of the file") {
                run.server.uploads.allSatisfy { Self.film.starts(with: $0) }
            }
            run.check("errors are MoyaErrors") {
                run.error.map { $0 is MoyaError } ?? true || run.isCancelled
            }
        }
        #expect(report.completeDepth >= 1)
        #expect(report.unrepeatable == 0)
        #expect(!report.usesOtherThreads)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension ExploredRun {
    /// Whether a fault replaced bytes of a response, and did not only cut it off.
    fileprivate var changesBytes: Bool {
        let names = [
            "body not JSON", "JSON of another shape", "body empty",
            "response of the request before",
        ]
        return exchanges.contains { names.contains($0.fault?.name ?? "") }
    }
}
