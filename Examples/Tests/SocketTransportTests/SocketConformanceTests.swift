import MoyaTransportConformance
import SocketTransport
import Testing

@Suite struct SocketConformanceTests {
    /// Conformance cases that `SocketTransport` cannot pass, with the reasons.
    static let exceptions = [
        "gzip and deflate bodies are decoded":
            "It decompresses nothing, and says so to the server.",
        "a corrupt gzip body is an error": "It decompresses nothing, and says so to the server.",
        "sequential requests share a connection": "Each request has a connection of its own.",
        "a GET on a kept connection that the server resets is sent again":
            "Each request has a connection of its own.",
        "a GET on a kept connection that the server closes is sent again":
            "Each request has a connection of its own.",
    ]

    @Test(arguments: TransportConformance.cases.excluding(exceptions))
    func `SocketTransport passes the conformance case`(
        behaviour: TransportConformance.Case
    ) async throws {
        try await behaviour.run(on: SocketTransport())
    }
}
