import Foundation
import MoyaCore
import MoyaMultipart
import MoyaMockServer
import MoyaTransportCurl

/// Resumable downloads in child processes that are killed at random moments. The last child runs to
/// its end. The file must then have every byte.
enum Downloads {
    private static let width = 2

    static func run(_ options: Options) async throws {
        let workload = Workload(options, unit: "downloads")
        let counts = Locked((kills: 0, resumed: 0))
        await workload.round(of: .max, atOnce: width) { number in
            do {
                let result = try await download(number, workload)
                counts.withLock { $0 = ($0.kills + result.kills, $0.resumed + result.resumed) }
            } catch {
                workload.find("\(error)", case: number)
            }
        }
        let (kills, resumed) = counts.withLock { $0 }
        say("downloads: \(kills) children killed, \(resumed) requests for the rest of a file")
        if kills > 20, resumed == 0 { workload.find("no download was resumed") }
        workload.finish()
    }

    /// Downloads one file. Returns the number of children killed and the number of requests for the
    /// rest of a file.
    private static func download(
        _ number: Int, _ workload: Workload
    ) async throws -> (kills: Int, resumed: Int) {
        var random = workload.options.generator(forCase: number)
        let data = random.bytes(Int.random(in: 1_000_000...20_000_000, using: &random))
        let connections = [1, 1, 3, 4].randomElement(using: &random) ?? 1
        let plannedKills = Int.random(in: 1...6, using: &random)
        // At this speed the whole file takes 0.3 s, so that most kills come before its end.
        let speed = data.count * 10 / 3 / connections
        let server = try MockServer { request in
            .ranged(data, for: request, etag: "\"\(number)\"").throttled(to: speed)
        }
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "soak-download-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        let arguments = ["download", server.url.absoluteString, file.path, "\(connections)"]
        var kills = 0
        // A child may be killed after its file is complete. Another one would refuse to replace it.
        for _ in 0..<plannedKills where !FileManager.default.fileExists(atPath: file.path) {
            let child = try Child(arguments)
            // A sleep, not an event: the test is about kills at random moments.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...350, using: &random)))
            let status = await child.end()
            if status == 0 { break }
            guard status == SIGKILL else { throw Failure("a child ended with \(status)") }
            kills += 1
        }
        if !FileManager.default.fileExists(atPath: file.path) {
            let status = await (try Child(arguments)).exit()
            guard status == 0 else { throw Failure("the last child ended with \(status)") }
        }
        guard try Data(contentsOf: file) == data else { throw Failure("another file has arrived") }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard names == ["file"] else { throw Failure("left behind: \(names.sorted())") }
        return (kills, server.requests.count { $0.value(for: "If-Range") != nil })
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

// Runs in the child process.
extension Downloads {
    private struct File: TargetType {
        let baseURL: URL
        let path = "file"
        let method = MoyaCore.Method.get
        let task = RequestTask.requestPlain
        let headers: [String: String]? = nil
    }

    /// Downloads the file and exits: with 0 once it is complete, with 1 after an error.
    static func download(_ arguments: [String]) async -> Never {
        guard arguments.count == 3, let url = URL(string: arguments[0]),
            let connections = Int(arguments[2])
        else { exit(2) }
        let provider = MoyaProvider<File>(transport: CurlTransport())
        do {
            _ = try await provider.resumableDownload(
                File(baseURL: url), to: URL(fileURLWithPath: arguments[1]),
                options: ResumableDownloadOptions(connections: connections))
            exit(0)
        } catch {
            say("soak download: \(error)", to: .standardError)
            exit(1)
        }
    }
}
