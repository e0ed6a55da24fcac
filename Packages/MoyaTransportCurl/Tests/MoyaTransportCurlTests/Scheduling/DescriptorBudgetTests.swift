import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The descriptor budget, with a simulated process.
@Suite struct DescriptorBudgetTests {
    /// A process with a descriptor limit and a set of open descriptors.
    private final class Process: Sendable {
        private struct State {
            var limit: Int
            var open: Set<Int32>
        }

        private let state: Locked<State>

        init(limit: Int, open: Range<Int32>) {
            state = Locked(State(limit: limit, open: Set(open)))
        }

        func raise(to limit: Int) { state.withLock { $0.limit = limit } }
        func close(_ descriptor: Int32) { state.withLock { _ = $0.open.remove(descriptor) } }
        var openCount: Int { state.withLock { $0.open.count } }

        var table: DescriptorTable {
            DescriptorTable(
                limit: { self.state.withLock(\.limit) },
                open: {
                    self.state.withLock { state in
                        let free = (0..<Int32(state.limit)).first { !state.open.contains($0) }
                        guard let free else { return .none }
                        state.open.insert(free)
                        return .descriptor(free)
                    }
                },
                close: { self.close($0) })
        }
    }

    private let modest = DescriptorClaim()
    private let last = DescriptorClaim(isLastTry: true)

    @Test func `the last eighth of the descriptors is reserved, up to 32`() {
        var small = DescriptorBudget<Int>(Process(limit: 128, open: 0..<0).table)
        #expect(small.isReserved(111) == false)
        #expect(small.isReserved(112) == true)
        var large = DescriptorBudget<Int>(Process(limit: 4096, open: 0..<0).table)
        #expect(large.isReserved(4063) == false)
        #expect(large.isReserved(4064) == true)
    }

    @Test func `a raised limit moves the reserve when a descriptor reaches it`() {
        let process = Process(limit: 128, open: 0..<0)
        var budget = DescriptorBudget<Int>(process.table)
        process.raise(to: 256)
        #expect(budget.isReserved(200) == false)
        #expect(budget.isReserved(224) == true)
    }

    @Test func `files may be opened only below the reserve, except by few transfers`() {
        let process = Process(limit: 128, open: 0..<111)
        var budget = DescriptorBudget<Int>(process.table)
        #expect(budget.mayOpenFiles(1, modest, among: 3) == true)
        #expect(budget.mayOpenFiles(2, modest, among: 3) == false)
        #expect(budget.mayOpenFiles(2, modest, among: 2) == true)
        // With three transfers running, each one after its last try would use the reserve.
        #expect(budget.mayOpenFiles(2, last, among: 3) == false)
        #expect(process.openCount == 111)
    }

    @Test func `lookups are refused when another one would need more descriptors than are free`() {
        let process = Process(limit: 128, open: 0..<98)
        var budget = DescriptorBudget<Int>(process.table)
        var lookups = Array(repeating: ConnectingState(), count: 10)
        let begun = lookups.indices.count { budget.beginLookup(&lookups[$0], modest, among: 10) }
        // 14 descriptors are free. The first lookup needs 4, and each further one 2 more.
        #expect(begun == 6)
        #expect(lookups.count { $0.step == .lookingUpName } == 6)
        #expect(lookups.count { $0.lacksDescriptor } == 4)
        budget.endLookup(&lookups[0])
        budget.endLookup(&lookups[0])
        #expect(budget.beginLookup(&lookups[9], modest, among: 10) == true)
        #expect(budget.beginLookup(&lookups[8], modest, among: 10) == false)
    }

    @Test func `a transfer that waits alone gets its last try and closes idle connections`() {
        var budget = DescriptorBudget<Int>(Process(limit: 128, open: 0..<128).table)
        var claim = modest
        let wait = budget.wait(1, &claim, isAlone: true, now: 0)
        #expect(wait.closesIdle)
        #expect(claim.isLastTry)
    }

    @Test func `transfers that wait for descriptors retry in order, every quarter of a second`() {
        let process = Process(limit: 128, open: 0..<112)
        var budget = DescriptorBudget<Int>(process.table)
        var claims = [modest, modest]
        #expect(budget.nextCheck == .max)
        let waits = [
            budget.wait(1, &claims[0], isAlone: false, now: 1000),
            budget.wait(2, &claims[1], isAlone: false, now: 2000),
        ]
        #expect(waits.map(\.closesIdle) == [true, false])
        #expect(budget.nextCheck == 250_001_000)
        guard case .nothing = budget.check(now: 250_000_999) else {
            Issue.record("It is too early to try again.")
            return
        }
        guard case .closeIdle(first: 1) = budget.check(now: 250_001_000) else {
            Issue.record("There is no descriptor, and idle connections stay open.")
            return
        }
        for descriptor in 40..<44 { process.close(Int32(descriptor)) }
        guard case .retry = budget.check(now: 500_001_000) else {
            Issue.record("There is room, and no transfer tries again.")
            return
        }
        #expect(budget.popFirst() == 1)
        #expect(budget.popFirst() == 2)
        #expect(budget.nextCheck == .max)
    }

    @Test func `at most two transfers may use the reserve after waiting for five seconds`() {
        typealias Budget = DescriptorBudget<Int>
        #expect(!Budget.isImpatient(since: 0, now: 5_000_000_000, impatientCount: 0))
        #expect(Budget.isImpatient(since: 0, now: 5_000_000_001, impatientCount: 1))
        #expect(!Budget.isImpatient(since: 0, now: 5_000_000_001, impatientCount: 2))
    }
}
