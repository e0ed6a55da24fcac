import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// Which sockets have accepted certificates, without sockets and evaluators.
@Suite struct EvaluatedConnectionsStateTests {
    /// A handle that opens sockets.
    private final class Maker {}

    /// A connection from a local port to port 443 of 127.0.0.1.
    private func connection(from port: Int32, host: String = "a.test") -> TrustedConnection {
        let endpoints = ConnectionEndpoints(
            local: ConnectionEndpoints.Address("127.0.0.1", port),
            remote: ConnectionEndpoints.Address("127.0.0.1", 443))
        return TrustedConnection(host: host, endpoints: endpoints)
    }

    @Test func `accepted certificates count for one host and one connection`() {
        var connections = EvaluatedConnections()
        let maker = Maker()
        connections.open(10, by: maker)
        #expect(!connections.isTrusted(connection(from: 1)))
        connections.trust(connection(from: 1), on: 10)
        #expect(connections.isTrusted(connection(from: 1)))
        // Another connection of the host, and another host on the same connection.
        #expect(!connections.isTrusted(connection(from: 2)))
        #expect(!connections.isTrusted(connection(from: 1, host: "b.test")))
    }

    @Test func `a closed socket's connection is not trusted any more`() {
        var connections = EvaluatedConnections()
        let maker = Maker()
        for (socket, port) in [(10, 1), (11, 2)] as [(Int32, Int32)] {
            connections.open(socket, by: maker)
            connections.trust(connection(from: port), on: socket)
        }
        connections.close(10)
        #expect(!connections.isTrusted(connection(from: 1)))
        #expect(connections.isTrusted(connection(from: 2)))
    }

    /// libcurl closes some sockets without a callback, and the system reuses their numbers.
    @Test func `a new socket does not inherit the trust or the maker of an earlier socket`() {
        var connections = EvaluatedConnections()
        let (first, second) = (Maker(), Maker())
        connections.open(10, by: first)
        connections.trust(connection(from: 1), on: 10)
        connections.open(10, by: second)
        #expect(!connections.isTrusted(connection(from: 1)))
        #expect(connections.sockets(madeBy: first) == [])
        #expect(connections.sockets(madeBy: second) == [10])
        connections.open(10, by: nil)
        #expect(connections.sockets(madeBy: second) == [])
    }

    @Test func `a handle's pending sockets exclude accepted and closed sockets`() {
        var connections = EvaluatedConnections()
        let (first, second) = (Maker(), Maker())
        for socket in [10, 11, 12] as [Int32] { connections.open(socket, by: first) }
        connections.open(20, by: second)
        #expect(Set(connections.sockets(madeBy: first)) == [10, 11, 12])
        connections.trust(connection(from: 1), on: 11)
        connections.close(12)
        #expect(connections.sockets(madeBy: first) == [10])
        #expect(connections.sockets(madeBy: second) == [20])
    }

    @Test func `a handle's next transfer has no sockets and leaves accepted certificates`() {
        var connections = EvaluatedConnections()
        let (first, second) = (Maker(), Maker())
        connections.open(10, by: first)
        connections.trust(connection(from: 1), on: 10)
        connections.open(11, by: first)
        connections.open(20, by: second)
        connections.forget(first)
        #expect(connections.sockets(madeBy: first) == [])
        #expect(connections.sockets(madeBy: second) == [20])
        #expect(connections.isTrusted(connection(from: 1)))
    }
}
