import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

@testable import MoyaLayers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A network path that a test opens.
private struct StubPath: Sendable {
    let waits = Recorder<Void>()
    private let openings = AsyncStream.makeStream(of: Void.self)

    func open() { openings.continuation.yield() }

    @Sendable func wait() async throws {
        waits.record(())
        for await _ in openings.stream { return }
        throw CancellationError()
    }
}

@Suite(.timeLimit(.minutes(3))) struct ConnectivityTests {
    private let clock = TestClock()
    private let path = StubPath()
    private let budget = RetryBudget(ratio: 0, reserve: 1)

    private func retrying(
        _ stub: StubTransport, upTo limit: TimeInterval = 60, total: TimeInterval? = nil,
        path: StubPath? = nil
    ) -> some Transport {
        var policy = RetryPolicy(backoff: Backoff(base: 0), budget: budget)
            .waitingForConnectivity(upTo: limit, (path ?? self.path).wait)
        policy.totalTimeout = total
        return stub.retrying(policy, clock: clock)
    }

    @Test(arguments: [
        URLError.Code.notConnectedToInternet, .cannotFindHost, .cannotConnectToHost,
        .networkConnectionLost, .timedOut,
    ])
    func `a request that failed without a network is sent again when there is a path`(
        code: URLError.Code
    ) async throws {
        let stub = StubTransport(.failure(code), .response(200))
        let transport = retrying(stub)
        async let response = transport.send(.test())
        await clock.waitForSleepers()
        #expect(stub.requests.count == 1)
        path.open()
        #expect(try await response.head.statusCode == 200)
        #expect(stub.requests.count == 2)
    }

    @Test func `a path that does not come back in time gives the error, and takes no retry`()
        async throws
    {
        let stub = StubTransport(
            .failure(.notConnectedToInternet), .failure(.cannotFindHost), .response(200))
        let transport = retrying(stub, upTo: 30)
        let sending = Task { await urlErrorCode { try await transport.send(.test()) } }
        await clock.waitForSleepers()
        clock.advance(by: 30)
        #expect(await sending.value == .notConnectedToInternet)
        #expect(stub.requests.count == 1)
        // The budget of one retry is untouched.
        let openPath = StubPath()
        openPath.open()
        let response = try await retrying(stub, path: openPath).send(.test())
        #expect(response.head.statusCode == 200)
    }

    @Test func `the total timeout of a policy ends the wait for a path`() async throws {
        let stub = StubTransport(.failure(.cannotFindHost), .response(200))
        let transport = retrying(stub, total: 10)
        let sending = Task { await urlErrorCode { try await transport.send(.test()) } }
        // The timers of the attempt have ended by then.
        try await until { path.waits.count == 1 && clock.sleeperCount > 0 }
        clock.advance(by: 10)
        #expect(await sending.value == .cannotFindHost)
        #expect(stub.requests.count == 1)
    }

    @Test func `cancelling a request ends its wait for a path`() async throws {
        let stub = StubTransport(.failure(.cannotFindHost), .response(200))
        let transport = retrying(stub)
        let sending = Task { await urlErrorCode { try await transport.send(.test()) } }
        await clock.waitForSleepers()
        sending.cancel()
        #expect(await sending.value == .cancelled)
        #expect(stub.requests.count == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `there is no wait for a path after a response`() async throws {
        let stub = StubTransport(.response(503), .response(200))
        #expect(try await retrying(stub).send(.test()).head.statusCode == 200)
        #expect(path.waits.count == 0)
    }

    @Test(arguments: ["http://localhost:1/", "http://127.0.0.1:1/", "http://[::1]:1/"])
    func `there is no wait for a path to a server on this machine`(address: String) async throws {
        let stub = StubTransport(.failure(.cannotConnectToHost), .response(200))
        let response = try await retrying(stub).send(.test("GET", address))
        #expect(response.head.statusCode == 200)
        #expect(path.waits.count == 0)
    }

    @Test func `there is no wait for a path if the request is not sent again`() async throws {
        let stub = StubTransport(.failure(.networkConnectionLost))
        let code = await urlErrorCode { try await retrying(stub).send(.test("POST")) }
        #expect(code == .networkConnectionLost)
        #expect(path.waits.count == 0)
    }

    @Test func `a wait for a path that throws ends the retries`() async throws {
        let stub = StubTransport(.failure(.cannotFindHost), .response(200))
        let policy = RetryPolicy().waitingForConnectivity { throw URLError(.unknown) }
        let transport = stub.retrying(policy, clock: clock)
        #expect(await urlErrorCode { try await transport.send(.test()) } == .cannotFindHost)
        #expect(stub.requests.count == 1)
    }
}

#if os(Linux)
    extension Requirement {
        fileprivate static let ip = installed("ip", Program.path(of: "ip") != nil)
        fileprivate static let networkNamespaces = Requirement(
            "a network namespace", remedy: "Run the tests as root."
        ) {
            (try? await onThread { NetworkNamespace.enter() }) == true
        }
    }

    private enum NetworkNamespace {
        /// Gives the calling thread a network of its own, without routes.
        static func enter() -> Bool {
            typealias Unshare = @convention(c) (Int32) -> Int32
            // Glibc's Swift module lacks this function. The flag is CLONE_NEWNET.
            guard let symbol = dlsym(nil, "unshare") else { return false }
            return unsafeBitCast(symbol, to: Unshare.self)(0x4000_0000) == 0
        }
    }

    @Suite(.timeLimit(.minutes(3))) struct NetworkPathTests {
        @Test(
            .requires(.networkNamespaces, .ip), arguments: [["-4"], ["-6"]])
        func `a network path is a default route of the kernel`(family: [String]) async throws {
            let options = family.joined()
            let found = try await onThread {
                #expect(NetworkNamespace.enter())
                var found = [NetworkPath.hasRoute]
                for change in ["link set lo up", "route add default dev lo", "route del default"] {
                    #expect(system("ip \(change.hasPrefix("route") ? options : "") \(change)") == 0)
                    found.append(NetworkPath.hasRoute)
                }
                return found
            }
            #expect(found == [false, false, true, false])
        }

        @Test func `the wait for a network path ends at once if there is a default route`()
            async throws
        {
            let table = try String(contentsOfFile: "/proc/net/route", encoding: .utf8)
            try #require(
                table.split(separator: "\n").contains { $0.split(separator: "\t")[1] == "00000000" }
            )
            #expect(NetworkPath.hasRoute)
            try await NetworkPath.wait()
        }

        @Test func `cancelling a task ends its wait for a network path`() async throws {
            let waiting = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await NetworkPath.wait()
            }
            // Without a route the wait throws, and with one it returns: either ends.
            _ = await waiting.result
        }
    }
#endif
