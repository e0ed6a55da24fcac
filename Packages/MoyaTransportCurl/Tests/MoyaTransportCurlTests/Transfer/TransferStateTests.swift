import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The states of a transfer, without libcurl. A text stands for an attempt.
@Suite struct TransferStateTests {
    private typealias State = TransferState<String>

    private static func taken() -> State {
        var state = State()
        #expect(state.accept() == true)
        return state
    }

    /// A ticket of a connection queue.
    private static func connectionTicket() -> ConnectionTicket? {
        var queue = ConnectionQueue<Int>(total: 1, perHost: 0)
        _ = queue.enter(0, for: "a", now: 0)
        guard case .queued(let ticket) = queue.enter(1, for: "a", now: 0) else { return nil }
        return ticket
    }

    private static func descriptorTicket() -> ListPosition {
        var lists = LinkedLists<Int>()
        var list = LinkedLists<Int>.List()
        return lists.append(0, to: &list)
    }

    private func expectNothing(_ last: State.Phase) {
        guard case .done = last else {
            Issue.record("There is something to give back: \(last)")
            return
        }
    }

    @Test func `a transfer cancelled before the loop takes it does not begin`() {
        var state = State()
        expectNothing(state.end())
        #expect(state.accept() == false)
        guard case .done = state.phase else {
            Issue.record("The transfer is not over: \(state.phase)")
            return
        }
        expectNothing(state.end())
        #expect(state.accept() == false)
    }

    @Test func `a transfer ends once and gives back its attempt once`() {
        var state = Self.taken()
        #expect(state.run("first") == true)
        #expect(state.attempt == "first")
        guard case .running("first") = state.end() else {
            Issue.record("The attempt is lost.")
            return
        }
        #expect(state.attempt == nil)
        expectNothing(state.end())
    }

    @Test func `a transfer that waits for a connection gives back its ticket when it ends`() throws
    {
        let ticket = try #require(Self.connectionTicket())
        var state = Self.taken()
        #expect(state.wait(for: ticket, since: 5) == true)
        #expect(!state.hasTurn)
        #expect(state.waitingSince == 5)
        guard case .waiting(.connection(ticket)) = state.end() else {
            Issue.record("The ticket is lost.")
            return
        }
        expectNothing(state.end())
    }

    @Test func `a transfer that waits for a descriptor gives back its ticket when it ends`() {
        let ticket = Self.descriptorTicket()
        var state = Self.taken()
        #expect(state.wait(for: ticket, since: 5) == true)
        #expect(state.descriptorWaitSince == 5)
        guard case .waiting(.descriptor(ticket)) = state.end() else {
            Issue.record("The ticket is lost.")
            return
        }
    }

    @Test func `a transfer cancelled after its start was scheduled is not started`() throws {
        var state = Self.taken()
        let ticket = try #require(Self.connectionTicket())
        #expect(state.wait(for: ticket, since: 0) == true)
        #expect(state.takeTurn() == true)
        #expect(state.hasTurn)
        guard case .waiting(.turn) = state.end() else {
            Issue.record("The turn is lost.")
            return
        }
        #expect(!state.hasTurn)
    }

    @Test func `waits count from the first wait until an attempt has a connection`() throws {
        var state = Self.taken()
        let ticket = try #require(Self.connectionTicket())
        #expect(state.wait(for: ticket, since: 1) == true)
        #expect(state.takeTurn() == true)
        #expect(state.run("without a descriptor") == true)
        #expect(state.wait(for: Self.descriptorTicket(), since: 2) == true)
        #expect(state.waitingSince == 1)
        #expect(state.descriptorWaitSince == 2)
        #expect(state.takeTurn() == true)
        #expect(state.run("without a descriptor again") == true)
        #expect(state.wait(for: Self.descriptorTicket(), since: 3) == true)
        #expect(state.descriptorWaitSince == 2)
        #expect(state.takeTurn() == true)
        #expect(state.run("on a connection that the server had closed") == true)
        #expect(state.startOver() == true)
        #expect(state.hasTurn)
        #expect(state.waitingSince == nil)
        #expect(state.descriptorWaitSince == nil)
    }

    @Test func `a transfer that waited inside libcurl keeps its wait when it starts again`() {
        var state = Self.taken()
        #expect(state.run("waiting") == true)
        #expect(state.startOver(waitingSince: 5) == true)
        #expect(state.waitingSince == 5)
        state.restartWait(at: 7)
        #expect(state.waitingSince == 7)
    }

    private struct Transition {
        let name: String
        /// Maps each state that it is legal from to the state after it.
        let edges: [String: String]
        let apply: (inout State) -> Bool
    }

    private static var transitions: [Transition] {
        [
            Transition(name: "accept", edges: ["submitted": "turn"]) { $0.accept() },
            Transition(name: "wait for a connection", edges: ["turn": "connection"]) { state in
                guard let ticket = connectionTicket() else { return false }
                return state.wait(for: ticket, since: 9)
            },
            Transition(
                name: "wait for a descriptor",
                edges: ["turn": "descriptor", "running": "descriptor"]
            ) { $0.wait(for: descriptorTicket(), since: 9) },
            Transition(name: "take turn", edges: ["connection": "turn", "descriptor": "turn"]) {
                $0.takeTurn()
            },
            Transition(name: "run", edges: ["turn": "running"]) { $0.run("other") },
            Transition(name: "start over", edges: ["running": "turn"]) { $0.startOver() },
        ]
    }

    /// Every state, each with the times of a wait where it has one.
    private static func states() throws -> [State] {
        let submitted = State()
        var cancelled = submitted
        _ = cancelled.end()
        let turn = taken()
        var (connection, descriptor, running, done) = (turn, turn, turn, turn)
        let ticket = try #require(connectionTicket())
        #expect(connection.wait(for: ticket, since: 5) == true)
        #expect(descriptor.wait(for: descriptorTicket(), since: 5) == true)
        #expect(running.run("first") == true)
        _ = done.end()
        return [submitted, cancelled, turn, connection, descriptor, running, done]
    }

    private static func name(of state: State) -> String {
        switch state.phase {
        case .submitted(let isCancelled): isCancelled ? "cancelled" : "submitted"
        case .waiting(.connection): "connection"
        case .waiting(.descriptor): "descriptor"
        case .waiting(.turn): "turn"
        case .running: "running"
        case .done: "done"
        }
    }

    @Test func `a transition changes a state that it is legal from, and no other`() throws {
        let states = try Self.states()
        #expect(Set(states.map(Self.name)).count == 7)
        for before in states {
            for transition in Self.transitions {
                var state = before
                let start = Self.name(of: before)
                let isTaken = transition.apply(&state)
                let text: Comment = "\(transition.name) from \(start)"
                if start == "cancelled", transition.name == "accept" {
                    #expect(!isTaken && Self.name(of: state) == "done", text)
                    continue
                }
                #expect(isTaken == (transition.edges[start] != nil), text)
                #expect(Self.name(of: state) == transition.edges[start] ?? start, text)
                if isTaken { continue }
                #expect(state.attempt == before.attempt, text)
                #expect(state.waitingSince == before.waitingSince, text)
                #expect(state.descriptorWaitSince == before.descriptorWaitSince, text)
            }
        }
    }
}
