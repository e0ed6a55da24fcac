import Foundation
import MoyaCore
import MoyaStubs

/// State of a run: the lives of the flow's process, the sites where faults may occur, and the
/// exchanges. Never waits.
struct RunState: Sendable {
    /// How a life of the flow's process ended.
    enum LifeEnd: Sendable {
        case ended
        case killed
        /// The flow has not ended and waits for an event that never comes. The text gives the
        /// reason.
        case stuck(String)
    }

    /// One life of the flow's process, from its start to its end or kill.
    struct Life: Sendable {
        let clock: TestClock
        /// Virtual seconds from the start of the run to the start of this life.
        let start: TimeInterval
        var flow: Task<Void, Never>?
        /// Virtual seconds from the start of the run to the end of the flow.
        var flowEnd: TimeInterval?
        var isKilled = false
    }

    /// Next step of a run whose tasks are all suspended.
    enum Step: Sendable {
        case end(LifeEnd)
        case strike(Fault)
        case advance(TimeInterval, TestClock)
        /// Wait for another thread: no task sleeps on the clock.
        case wait
    }

    /// Whether the faults of the schedule took effect.
    enum StrikeEffect: Sendable {
        case asPlanned
        /// A fault changed nothing.
        case none
        /// The run reached another site than the one the fault was meant for, or ended before it.
        case elsewhere
    }

    let schedule: Schedule
    private(set) var lives: [Life] = []
    private(set) var exchanges: [ExploredExchange] = []
    private(set) var sites: [Site] = []
    private(set) var notes: [(time: TimeInterval, note: FlowNote, life: Int)] = []
    var effect = StrikeEffect.asPlanned
    var isClosed = false
    /// Objects of the current life to be released when the flow is over. Each closure returns the
    /// text for an object that is not released.
    var watched: [@Sendable () -> String?] = []
    var folder: URL?
    /// Suspended requests of killed processes.
    private var held: [CheckedContinuation<Void, Never>] = []

    init(schedule: Schedule) { self.schedule = schedule }

    /// Virtual seconds since the run began.
    var elapsed: TimeInterval { lives.last.map { $0.start + $0.clock.uptime } ?? 0 }

    /// Requests of the current life that are in flight.
    var openExchanges: [ExploredExchange] {
        exchanges.filter { $0.end == nil && $0.life == lives.count - 1 }
    }

    // MARK: Lives

    /// Adds a life. Returns its number.
    mutating func begin(_ life: Life) -> Int {
        lives.append(life)
        watched = []
        return lives.count - 1
    }

    mutating func start(_ life: Int, flow: Task<Void, Never>) { lives[life].flow = flow }

    mutating func endFlow(of life: Int) { lives[life].flowEnd = elapsed }

    /// Whether the current life was killed.
    var isKilled: Bool { lives.last?.isKilled ?? false }

    /// Ends the current life and its exchanges.
    mutating func kill() {
        if let last = lives.indices.last { lives[last].isKilled = true }
        for index in exchanges.indices where exchanges[index].end == nil {
            exchanges[index].end = elapsed
        }
    }

    /// Whether a request of this life may continue. Otherwise keeps `continuation`.
    mutating func admit(
        _ life: Int, _ continuation: CheckedContinuation<Void, Never>
    ) -> Bool {
        if isClosed || !lives[life].isKilled { return true }
        held.append(continuation)
        return false
    }

    /// Closes the run. Returns the suspended requests of killed processes, for the caller to
    /// resume.
    mutating func close() -> [CheckedContinuation<Void, Never>] {
        isClosed = true
        defer { held = [] }
        return held
    }

    // MARK: Time

    /// Returns the next step when every task is suspended.
    mutating func nextStep(_ options: ExplorationOptions) -> Step {
        guard let life = lives.last else { return .wait }
        let (now, next) = (elapsed, life.clock.timeToNextSleeper)
        if let end = life.flowEnd {
            guard let next, now + next <= end + options.grace else { return .end(.ended) }
            return .advance(next, life.clock)
        }
        guard let next else { return .wait }
        guard now + next <= options.virtualLimit else {
            let limit = options.virtualLimit.plain()
            return .end(.stuck("It is not over after \(limit) virtual seconds."))
        }
        if openExchanges.isEmpty, let fault = visit(nil) { return .strike(fault) }
        return .advance(next, life.clock)
    }

    /// Records a site where a fault may occur. Returns the fault that the schedule has for it.
    private mutating func visit(_ request: TransportRequest?) -> Fault? {
        let site = Site(request: request, name: request?.name ?? Site.pauseName, time: elapsed)
        sites.append(site)
        guard let strike = schedule.strike(at: sites.count - 1) else { return nil }
        guard RunSignature.make([strike.name]) == RunSignature.make([site.name]),
            strike.fault.applies(to: request)
        else {
            effect = .elsewhere
            return nil
        }
        return strike.fault
    }

    // MARK: Exchanges

    mutating func begin(
        _ request: TransportRequest, life: Int, earlierNotes: Int
    ) -> (number: Int, fault: Fault?) {
        let fault = visit(request)
        var exchange = ExploredExchange(
            number: exchanges.count, life: life, request: request, start: elapsed,
            earlierNotes: earlierNotes)
        exchange.fault = fault
        exchanges.append(exchange)
        return (exchange.number, fault)
    }

    mutating func act(_ number: Int) {
        exchanges[number].actionCount += 1
        exchanges[number].actionTime = exchanges[number].actionTime ?? elapsed
    }

    mutating func answer(_ answer: FaultReply, to number: Int) {
        exchanges[number].answer = answer
    }

    mutating func reply(_ reply: FaultReply, to number: Int) { exchanges[number].reply = reply }

    mutating func finish(_ number: Int) { exchanges[number].end = exchanges[number].end ?? elapsed }

    /// The most recent reply to an earlier request.
    func reply(before number: Int) -> FaultReply? {
        exchanges[..<number].last { $0.reply != nil }?.reply
    }

    mutating func add(_ note: FlowNote, life: Int) {
        guard !isClosed, life == lives.count - 1 else { return }
        notes.append((elapsed, note, life))
    }
}
