import Testing

@testable import MoyaTransportCurl

@Suite struct HostStatesTests {
    private static let waiting = ConnectingState()
    private static let lookingUp = ConnectingState(step: .lookingUpName)
    private static let opening = ConnectingState(step: .opening)
    private static let sending = ConnectingState(step: .hasConnection)

    @Test func `a host without connections is unused, also while a request waits for it`() {
        var states = HostStates(total: 0)
        states.note("a", Self.waiting, port: 0)
        states.note("b", Self.sending, port: 0)
        #expect(states.state(of: "a") == .unused)
        #expect(states.state(of: "c") == .unused)
    }

    @Test(arguments: [lookingUp, opening])
    func `a host is connecting while its only connection is being opened`(_ step: ConnectingState) {
        var states = HostStates(total: 0)
        states.note("a", step, port: 0)
        states.note("a", Self.waiting, port: 0)
        #expect(states.state(of: "a") == .connecting)
    }

    @Test func `a connection in use counts before one that is being opened, in either order`() {
        var states = HostStates(total: 0)
        states.note("a", Self.opening, port: 0)
        states.note("a", Self.sending, port: 0)
        states.note("b", Self.sending, port: 0)
        states.note("b", Self.opening, port: 0)
        #expect(states.state(of: "a") == .inUse)
        #expect(states.state(of: "b") == .inUse)
    }

    @Test func `at the limit of all connections, every host waits for those in use`() {
        var states = HostStates(total: 2)
        states.note("a", Self.sending, port: 1)
        states.note("b", Self.opening, port: 0)
        #expect(states.state(of: "b") == .connecting)
        states.note("a", Self.sending, port: 2)
        #expect(states.state(of: "b") == .inUse)
        #expect(states.state(of: "c") == .inUse)
    }

    @Test func `requests that share a connection count as one towards the limit`() {
        var states = HostStates(total: 2)
        for _ in 0..<3 { states.note("a", Self.sending, port: 1) }
        #expect(states.state(of: "b") == .unused)
    }

}
