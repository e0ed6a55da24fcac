import MoyaCore
import MoyaMockServer

/// Runs cases in rounds. Each round has a new server and a new transport, because a server keeps
/// all its requests in memory. After each round, all connections must be closed, and the process
/// must not have grown.
enum Rounds {
    /// Number of concurrent cases.
    private static let width = 32

    /// Runs rounds of `size` cases until the workload is over.
    ///
    /// - Parameters:
    ///   - handler: Makes the server's responses.
    ///   - makeCase: Returns a function that runs the case with a given number over the server and
    ///     the transport of the round.
    static func run(
        _ workload: Workload, of size: Int, handler: @escaping MockServer.Handler,
        makeCase: (MockServer, any Transport) -> @Sendable (Int) async -> Void
    ) async throws {
        var check = FootprintCheck()
        while !workload.isOver {
            try await round(workload, of: size, handler, makeCase)
            await check.look(workload)
        }
        check.finish(workload)
    }

    private static func round(
        _ workload: Workload, of size: Int, _ handler: @escaping MockServer.Handler,
        _ makeCase: (MockServer, any Transport) -> @Sendable (Int) async -> Void
    ) async throws {
        let server = try MockServer(handler: handler)
        defer { server.stop() }
        let carrier = try Carrier(workload.options.carrier, connections: width)
        await workload.round(of: size, atOnce: width, makeCase(server, carrier.transport))
        carrier.shutdown()
        do {
            try await server.waitUntilDisconnected(timeout: 60)
        } catch {
            workload.find("\(server.openConnectionCount) connections left after a round")
        }
    }
}
