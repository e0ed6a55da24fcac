import MoyaTransportConformance
import SocketTransport
import Testing

@Suite struct SocketConformanceTests {
    /// What `SocketTransport` does not claim.
    static let impossible: Set = [
        // It decompresses nothing, and says so to the server.
        "gzip and deflate bodies are decoded",
        "a corrupt gzip body is an error",
        // Each request has a connection of its own.
        "sequential requests share a connection",
    ]

    @Test(arguments: TransportConformance.cases.filter { !impossible.contains($0.name) })
    func `SocketTransport passes the conformance case`(
        behaviour: TransportConformance.Case
    ) async throws {
        try await behaviour.run(on: SocketTransport())
    }

    @Test func `the list of impossible conformance cases names existing cases`() {
        #expect(Self.impossible.isSubset(of: TransportConformance.cases.map(\.name)))
    }
}
