import Foundation
import MoyaCore
import MoyaStubs

/// What a run has come to: the lives of the flow's process, the places where faults may strike, the exchanges. Without any
/// waiting of its own.
struct RunState: Sendable {
    /// How one start of the flow's process came to its end.
    enum LifeEnd: Sendable {
        case ended
        case killed
        /// The flow is not over and waits for something that does not come.
        case stuck(String)
    }

    /// One start of the flow's process.
    struct Life: Sendable {
        let clock: TestClock
        /// When it began, in virtual seconds since the run did.
        let start: TimeInterval
        var flow: Task<Void, Never>?
        /// When the flow returned.
        var flowEnd: TimeInterval?
        var isKilled = false
    }

    /// What comes next when all tasks wait.
    enum Step: Sendable {
        case end(LifeEnd)
        case strike(Fault)
        case advance(TimeInterval, TestClock)
        /// For another thread, or for nothing.
        case wait
    }

    /// Whether the schedule of faults did what it was to do.
    enum StrikeEffect: Sendable {
        case asPlanned
        /// A fault changed nothing.
        case none
        /// The run came to another place than the one the fault was for, or ended before it.
        case elsewhere
    }

    let schedule: Schedule
    private(set) var lives: [Life] = []
    private(set) var exchanges: [ExploredExchange] = []
    private(set) var sites: [Site] = []
    private(set) var notes: [(time: TimeInterval, note: FlowNote)] = []
    var effect = StrikeEffect.asPlanned
    var isClosed = false
    /// What is to be released when the flow is over. Returns the name of what is not. What a killed process had is not here.
    var watched: [@Sendable () -> String?] = []
    var folder: URL?
    /// Requests of killed processes.
    private var held: [CheckedContinuation<Void, Never>] = []

    init(schedule: Schedule) { self.schedule = schedule }

    /// Seconds of virtual time since the run began.
    var elapsed: TimeInterval { lives.last.map { $0.start + $0.clock.uptime } ?? 0 }

    /// The requests of the current life that are not over.
    var openExchanges: [ExploredExchange] {
        exchanges.filter { $0.end == nil && $0.life == lives.count - 1 }
    }

    // MARK: Lives

    /// Returns the number of the life.
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

    /// Whether a request of this life goes on. Keeps `continuation` otherwise.
    mutating func admit(
        _ life: Int, _ continuation: CheckedContinuation<Void, Never>
    ) -> Bool {
        if isClosed || !lives[life].isKilled { return true }
        held.append(continuation)
        return false
    }

    /// Returns requests of killed processes, which end now.
    mutating func close() -> [CheckedContinuation<Void, Never>] {
        isClosed = true
        defer { held = [] }
        return held
    }

    // MARK: Time

    /// What comes next when all tasks wait.
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

    /// Takes note of a place where a fault may strike. Returns what strikes there.
    private mutating func visit(_ request: TransportRequest?) -> Fault? {
        let site = Site(request: request, name: request?.name ?? Site.pauseName)
        sites.append(site)
        guard let strike = schedule.strike(at: sites.count - 1) else { return nil }
        guard strike.name == site.name, strike.fault.applies(to: request) else {
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

    mutating func reply(_ reply: FaultReply, to number: Int) { exchanges[number].reply = reply }

    mutating func finish(_ number: Int) { exchanges[number].end = exchanges[number].end ?? elapsed }

    /// What the flow got for the request before.
    func reply(before number: Int) -> FaultReply? {
        exchanges[..<number].last { $0.reply != nil }?.reply
    }

    mutating func add(_ note: FlowNote, life: Int) {
        guard !isClosed, life == lives.count - 1 else { return }
        notes.append((elapsed, note))
    }
}
