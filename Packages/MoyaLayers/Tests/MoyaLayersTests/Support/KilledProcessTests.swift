import Foundation
import MoyaCore
@testable import MoyaLayers
import MoyaMockServer
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Exit tests capture values with Swift 6.3 and later.
#if compiler(>=6.3)
    /// Files left by processes that are killed while writing.
    @Suite(.seeded) struct KilledProcessTests {
        private static let rounds = 20

        @Test func `a disk cache has only whole responses after its process is killed`()
            async throws
        {
            let folder = try TemporaryFolder()
            var random = SeededGenerator()
            var count = 0
            for round in 0..<Self.rounds {
                let delay = Self.delay(&random)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = folder.url.path as String, delay = delay as UInt32] in
                    let store = DiskCacheStore(folder: URL(fileURLWithPath: path))
                    for number in 0... {
                        await store.update("key \(number % 7)") { responses in
                            responses = [Self.stored(number % 256, size: 300_000)]
                        }
                        // Killed after the first response, so that each process has written one.
                        if number == 0 { Self.killSoon(delay) }
                    }
                }
                let store = DiskCacheStore(folder: folder.url)
                for key in 0..<7 {
                    for found in await store.responses(for: "key \(key)") {
                        let number = try #require(found.body.first)
                        #expect(found == Self.stored(Int(number), size: 300_000))
                        count += 1
                    }
                }
                await store.update("next") { $0 = [Self.stored(round, size: 10)] }
                #expect(await store.responses(for: "next") == [Self.stored(round, size: 10)])
            }
            #expect(count > 0)
        }

        @Test
        func `an archive of killed processes has the exchanges of each without a gap`()
            async throws
        {
            let folder = try TemporaryFolder()
            let file = folder.file("session.har")
            var random = SeededGenerator()
            for round in 0..<Self.rounds {
                let delay = Self.delay(&random)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        path = file.path as String, round = round as Int, delay = delay as UInt32
                    ] in
                    // Continues with the journal of the killed process.
                    let recorder = try HARRecorder(to: URL(fileURLWithPath: path))
                    let transport = StubTransport(.response(204)).recording(to: recorder)
                    for number in 0... {
                        let path = round * 1_000_000 + number
                        _ = try await transport.send(.test("GET", "http://a.test/\(path)"))
                        // Killed after the first record, so that each process has written an entry.
                        if number == 0 { Self.killSoon(delay) }
                    }
                }
            }
            try HARRecorder.recover(file)
            let numbers = try Self.recordedNumbers(in: file)
            // The recorder writes on a queue, so the last exchanges of each process may be missing.
            let rounds = Dictionary(grouping: numbers) { $0 / 1_000_000 }
            #expect(rounds.count > Self.rounds / 2)
            for (round, numbers) in rounds {
                let start = round * 1_000_000
                #expect(numbers == Array(start..<start + numbers.count))
            }
        }

        /// Kills this process after `delay` microseconds.
        private static func killSoon(_ delay: UInt32) {
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
        }

        private static func delay(_ random: inout SeededGenerator) -> UInt32 {
            .random(in: 0..<20_000, using: &random)
        }

        private static func stored(_ number: Int, size: Int) -> StoredResponse {
            StoredResponse(
                statusCode: 200, url: url("http://host.test/"), httpVersion: "HTTP/2", fields: [],
                body: Data(repeating: UInt8(number), count: size),
                requestTime: Date(timeIntervalSince1970: 1),
                responseTime: Date(timeIntervalSince1970: 2),
                selectors: [:])
        }

        private static func recordedNumbers(in file: URL) throws -> [Int] {
            guard FileManager.default.fileExists(atPath: file.path) else { return [] }
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            let log = (json as? [String: Any])?["log"] as? [String: Any]
            let entries = log?["entries"] as? [[String: Any]] ?? []
            return entries.compactMap { entry in
                let url = (entry["request"] as? [String: Any])?["url"] as? String
                return url.flatMap { URL(string: $0)?.lastPathComponent }.flatMap(Int.init)
            }
        }
    }
#endif
