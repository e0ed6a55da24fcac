import Foundation
import MoyaCore
import MoyaTesting
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that are cancelled while a redirect arrives. They run in a child process, because
/// URLSession on Linux ends the process if a redirect is answered after a cancellation.
@Suite(.seeded, .timeLimit(.minutes(3))) struct CancelledRedirectTests {
    private static func run(seed: UInt64, sharedTransport: Bool) async throws {
        let server = try MockServer { _ in .redirect(to: "/next") }
        defer { server.stop() }
        let shared = FoundationTransport()
        let request = TransportRequest(
            URLRequest(url: server.url, timeoutInterval: 120),
            redirectPolicy: .follow(limit: 100_000))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<10 {
                group.addTask {
                    var random = SeededGenerator(seed: seed ^ UInt64(worker) << 32)
                    for _ in 0..<5 {
                        let transport = sharedTransport ? shared : FoundationTransport()
                        let task = Task { try await transport.send(request) }
                        // The delay is random on purpose: the seed selects the moment of the
                        // cancellation.
                        try? await Task.sleep(
                            nanoseconds: .random(in: 0...400_000_000, using: &random))
                        if sharedTransport { task.cancel() } else { transport.shutdown() }
                        let error = await #expect(throws: URLError.self) { try await task.value }
                        #expect(error?.code == .cancelled)
                    }
                }
            }
        }
        shared.shutdown()
        try await server.waitUntilDisconnected()
    }

    @Test(arguments: 1...2)
    func `Requests that are cancelled while redirects arrive all end as cancelled`(seed: Int) async
    {
        var random = SeededGenerator(case: seed)
        await #expect(processExitsWith: .success) { [seed = random.next() as UInt64] in
            try await Self.run(seed: seed, sharedTransport: true)
        }
    }

    @Test func `Requests whose transport is shut down while redirects arrive all end as cancelled`()
        async
    {
        var random = SeededGenerator(case: 1)
        await #expect(processExitsWith: .success) { [seed = random.next() as UInt64] in
            try await Self.run(seed: seed, sharedTransport: false)
        }
    }

    @Test func `Requests that time out while redirects arrive all end as timed out`() async {
        await #expect(processExitsWith: .success) {
            let server = try MockServer { _ in .redirect(to: "/next") }
            defer { server.stop() }
            var configuration = FoundationTransport.Configuration()
            configuration.exchangeTimeout = 0.05
            let transport = try FoundationTransport(configuration: configuration)
            let request = TransportRequest(
                URLRequest(url: server.url), redirectPolicy: .follow(limit: 100_000))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        for _ in 0..<10 {
                            let error = await #expect(throws: URLError.self) {
                                try await transport.send(request)
                            }
                            #expect(error?.code == .timedOut)
                        }
                    }
                }
            }
        }
    }
}
