import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// TLS connections that wait for close_notify, without OpenSSL. Numbers stand for connections.
@Suite struct ClosingConnectionsTests {
    private func connection(_ number: Int) throws -> OpaquePointer {
        try #require(OpaquePointer(bitPattern: number))
    }

    @Test func `a connection's close_notify counts if it arrives while it is awaited`() throws {
        var connections = ClosingConnections()
        let (first, second) = (try connection(1), try connection(2))
        connections.add(first)
        connections.add(second)
        connections.noteAnnouncement(on: first)
        #expect(connections.remove(first) == true)
        #expect(connections.remove(second) == false)
        #expect(connections.isAnnounced.isEmpty)
    }

    @Test func `a close_notify before or after the wait does not count`() throws {
        var connections = ClosingConnections()
        let connection = try connection(1)
        connections.noteAnnouncement(on: connection)
        connections.add(connection)
        #expect(connections.remove(connection) == false)
        connections.noteAnnouncement(on: connection)
        #expect(connections.isAnnounced.isEmpty)
    }

    /// OpenSSL may reuse the address of a connection for a later one.
    @Test func `a later connection at the same address waits for a close_notify of its own`() throws
    {
        var connections = ClosingConnections()
        let connection = try connection(1)
        connections.add(connection)
        connections.noteAnnouncement(on: connection)
        connections.add(connection)
        #expect(connections.remove(connection) == false)
    }
}
