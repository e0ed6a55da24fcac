import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

@Suite struct IdleConnectionsTests {
    @Test func `idle connections are due once, shortly after their idle timeout`() {
        var connections = IdleConnections(limit: 1, keptFor: 2)
        #expect(connections.due == .max)
        connections.noteIdle(since: 1_000_000_000)
        #expect(connections.due == 4_100_000_000)
        #expect(connections.takeDue(4_099_999_999) == false)
        #expect(connections.takeDue(4_100_000_000) == true)
        #expect(connections.takeDue(.max - 1) == false)
    }

    @Test func `connections that are not kept are never due`() {
        var connections = IdleConnections(limit: 1, keptFor: nil)
        connections.noteIdle(since: 0)
        #expect(connections.due == .max)
    }

    @Test func `requests to close idle or broken connections are taken once`() {
        var connections = IdleConnections(limit: 1, keptFor: 2)
        #expect(connections.takeMustClose() == false)
        #expect(connections.takeBroken() == false)
        (connections.mustClose, connections.hasBroken) = (true, true)
        #expect(connections.takeMustClose() == true)
        #expect(connections.takeMustClose() == false)
        #expect(connections.takeBroken() == true)
        #expect(connections.takeBroken() == false)
    }
}
