import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The states of a transfer, without libcurl. A text stands for an attempt.
@Suite struct TransferStateTests {
    private typealias State = TransferState<String>

    private static func taken() -> State {
        var state = State()
        #expect(state.take() == true)
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

    private func expectNothing(_ release: State.Release) {
        guard case .nothing = release else {
            Issue.record("There is something to give back: \(release)")
            return
        }
    }

    @Test func `a transfer cancelled before the loop takes it does not begin`() {
        var state = State()
        expectNothing(state.end())
        #expect(state.take() == false)
        guard case .done = state.phase else {
            Issue.record("The transfer is not over: \(state.phase)")
            return
        }
        expectNothing(state.end())
        #expect(state.take() == false)
    }

    @Test func `a transfer ends once and gives back its attempt once`() {
        var state = Self.taken()
        state.begin("first")
        #expect(state.attempt == "first")
        guard case .attempt("first") = state.end() else {
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
        state.wait(for: ticket, since: 5)
        #expect(!state.hasTurn)
        #expect(state.waitingSince == 5)
        guard case .connectionTicket(ticket) = state.end() else {
            Issue.record("The ticket is lost.")
            return
        }
        expectNothing(state.end())
    }

    @Test func `a transfer that waits for a descriptor gives back its ticket when it ends`() {
        let ticket = Self.descriptorTicket()
        var state = Self.taken()
        state.wait(for: ticket, since: 5)
        #expect(state.descriptorWaitSince == 5)
        guard case .descriptorTicket(ticket) = state.end() else {
            Issue.record("The ticket is lost.")
            return
        }
    }

    @Test func `a transfer cancelled after its start was scheduled is not started`() throws {
        var state = Self.taken()
        state.wait(for: try #require(Self.connectionTicket()), since: 0)
        state.takeTurn()
        #expect(state.hasTurn)
        guard case .turn = state.end() else {
            Issue.record("The turn is lost.")
            return
        }
        #expect(!state.hasTurn)
    }

    @Test func `waits count from the first wait until an attempt has a connection`() throws {
        var state = Self.taken()
        state.wait(for: try #require(Self.connectionTicket()), since: 1)
        state.takeTurn()
        state.begin("without a descriptor")
        state.wait(for: Self.descriptorTicket(), since: 2)
        #expect(state.waitingSince == 1)
        #expect(state.descriptorWaitSince == 2)
        state.takeTurn()
        state.begin("without a descriptor again")
        state.wait(for: Self.descriptorTicket(), since: 3)
        #expect(state.descriptorWaitSince == 2)
        state.takeTurn()
        state.begin("on a connection that the server had closed")
        state.startOver()
        #expect(state.hasTurn)
        #expect(state.waitingSince == nil)
        #expect(state.descriptorWaitSince == nil)
    }

    @Test func `no transition leads out of the end of a transfer`() throws {
        let transitions: [(inout State) -> Void] = try [
            { [ticket = try #require(Self.connectionTicket())] in $0.wait(for: ticket, since: 0) },
            { $0.wait(for: Self.descriptorTicket(), since: 0) }, { $0.takeTurn() },
            { $0.begin("late") }, { $0.startOver() },
        ]
        for transition in transitions {
            var state = Self.taken()
            _ = state.end()
            transition(&state)
            guard case .done = state.phase else {
                Issue.record("The transfer is not over: \(state.phase)")
                continue
            }
        }
    }
}
