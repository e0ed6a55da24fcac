import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Flows that leak, hang or report wrong events. The exploration has to find the defect of each.
@Suite struct PlantedResourceDefectTests {
    @Test func `An exploration finds a timer that is not cancelled after a failed request`()
        async throws
    {
        let report = try await findings { network in
            let timer = Task { try await network.clock.sleep(for: 30) }
            _ = try await network.request(.get("/me"))
            timer.cancel()
        } holding: { run in
            run.leavesNothingBehind()
        }
        let finding = try #require(report.finding("nothing is left behind"))
        #expect(finding.faults == ["connection lost before the server acted at GET /me"])
        #expect(finding.reason == "1 still asleep.")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds a request that outlives its flow`() async throws {
        let report = try await findings(.connectionFaults, depth: 2) { network in
            let other = Task { try await network.request(.get("/other")) }
            _ = try await network.request(.get("/me"))
            _ = try await other.value
        } holding: { run in
            run.leavesNothingBehind()
        }
        let finding = try #require(report.finding("nothing is left behind"))
        #expect(
            finding.faults == [
                "connection lost before the server acted at GET /me",
                "timeout before the server acted at GET /other",
            ])
        #expect(finding.reason.hasPrefix("GET /other still under way"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds a temporary file left behind after an incomplete body`()
        async throws
    {
        let report = try await findings(size: 100) { network in
            let file = network.temporaryFolder.appendingPathComponent("part")
            let response = try await network.request(.get("/file"))
            try response.data.write(to: file)
            guard response.data.count == 100 else { throw VoidError() }
            try FileManager.default.removeItem(at: file)
        } holding: { run in
            run.leavesNothingBehind()
        }
        let finding = try #require(report.finding("nothing is left behind"))
        #expect(finding.faults == ["body empty at GET /file"])
        #expect(finding.reason == "temporary file part still there.")
    }

    struct VoidError: Error {}

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds a file descriptor left open after a failed request`()
        async throws
    {
        let handles = Locked<[FileHandle]>([])
        let report = try await findings(.statusFaults, size: 100) { network in
            let file = network.folder.appendingPathComponent("file")
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
            let handle = try FileHandle(forWritingTo: file)
            handles.withLock { $0.append(handle) }
            try handle.write(contentsOf: try await network.request(.get("/file")).data)
            try handle.close()
        } holding: { run in
            run.leavesNothingBehind()
        }
        let finding = try #require(report.finding("nothing is left behind"))
        #expect(finding.faults == ["status 503 at GET /file"])
        #expect(finding.reason == "kept/file still open.")
        for handle in handles.withLock({ $0 }) { try handle.close() }
    }

    final class Screen: Sendable {
        let retry = Locked<(@Sendable () -> Void)?>(nil)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds an object that retains itself after a failed request`()
        async throws
    {
        let report = try await findings(.statusFaults) { network in
            let screen = Screen()
            network.expectRelease(of: screen)
            do { _ = try await network.request(.get("/me")) } catch {
                screen.retry.withLock { $0 = { _ = screen } }
            }
        } holding: { run in
            run.leavesNothingBehind()
        }
        let finding = try #require(report.finding("nothing is left behind"))
        #expect(finding.reason == "Screen still in memory.")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds a continuation that is never resumed after a 409 response`()
        async throws
    {
        let report = try await findings([.status(409)]) { network in
            let response = try? await network.request(.get("/me"))
            let status = response?.statusCode ?? 409
            await withUnsafeContinuation { continuation in
                if status != 409 { continuation.resume() }
            }
        } holding: { run in
            run.ends(within: .seconds(60))
        }
        let finding = try #require(report.finding("the flow ends within 60.0 seconds"))
        #expect(finding.faults == ["status 409 at GET /me"])
        #expect(finding.reason == "It waits for something that does not come.")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds a loop that never sleeps after a 503 response`() async throws {
        let report = try await findings([.status(503)]) { network in
            var isDone = (try? await network.request(.get("/me"))) != nil
            while !isDone {
                await Task {}.value
                isDone = Task.isCancelled
            }
        } holding: { run in
            run.ends(within: .seconds(60))
        }
        let finding = try #require(report.finding("the flow ends within 60.0 seconds"))
        #expect(finding.faults == ["status 503 at GET /me"])
        #expect(finding.reason.hasPrefix("It goes on without end"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test
    func `An exploration finds a flow that exceeds its time limit by a long pause before a retry`()
        async throws
    {
        let wait = Fault.status(503, ["Retry-After": "86400"])
        let report = try await findings([wait]) { network in
            for _ in 0..<3 {
                let response = try? await network.request(.get("/me"))
                if response != nil { return }
                try await network.clock.sleep(for: 1800)
            }
        } holding: { run in
            run.ends(within: .seconds(60))
        }
        let finding = try #require(report.finding("the flow ends within 60.0 seconds"))
        #expect(finding.faults == ["status 503 with Retry-After: 86400 at GET /me"])
        #expect(finding.reason == "It took 1800.2 seconds.")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func `An exploration finds progress that decreases in a second attempt`() async throws {
        let report = try await findings(size: 100_000) { network in
            let file = URL(string: "https://shop.test/file") ?? URL(fileURLWithPath: "/")
            let request = TransportRequest(
                URLRequest(url: file),
                progress: { progress in
                    network.note(.progress(Double(progress.bytesReceived), of: "file"))
                })
            _ = try await BlindRetry(next: network, clock: network.clock).send(request)
        } holding: { run in
            run.progressIsMonotone()
        }
        let finding = try #require(report.finding("progress never goes back"))
        #expect(finding.faults == ["body shorter than its Content-Length at GET /file"])
    }

    @Test func `An exploration finds a completion that a timeout and a late response both call`()
        async throws
    {
        let report = try await findings { network in
            let isOver = Locked(false)
            let timeout = Task {
                try await network.clock.sleep(for: 5)
                if !isOver.withLock({ $0 }) { network.note(.completion("load")) }
            }
            // The timeout completes after 5 seconds. The response that comes later completes again.
            _ = try? await network.request(.get("/me"))
            isOver.withLock { $0 = true }
            timeout.cancel()
            network.note(.completion("load"))
        } holding: { run in
            run.completesOnce("load")
        }
        let finding = try #require(report.finding("load completes once"))
        #expect(finding.faults == ["timeout before the server acted at GET /me"])
        #expect(finding.reason == "It completed twice.")
    }

    @Test func `An exploration finds a completion that is not called after a cancellation`()
        async throws
    {
        let report = try await findings { network in
            _ = try? await network.request(.get("/me"))
            if !Task.isCancelled { network.note(.completion("load")) }
        } holding: { run in
            run.completesOnce("load")
        }
        let finding = try #require(report.finding("load completes once"))
        #expect(finding.faults == ["flow cancelled at GET /me"])
        #expect(finding.reason == "It completed 0 times.")
    }
}
