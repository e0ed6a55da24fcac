import Foundation

/// Whether requests to one server are let through, and what changes that, without any I/O.
struct CircuitState: Sendable {
    enum Phase: Equatable {
        /// Requests go through.
        case closed
        /// None does before this time.
        case open(until: TimeInterval)
        /// One has gone through to see how things are.
        case probing
    }

    /// Tells in which era a request was let through.
    struct Pass: Sendable {
        let era: Int
    }

    private(set) var phase = Phase.closed
    /// What the last requests came to, the oldest first.
    private var failures: [Bool] = []
    /// Counts the times that the circuit has opened or closed.
    private var era = 0
    private var lastUse: TimeInterval = 0

    /// Lets a request through, or says after how many seconds it may try again.
    mutating func admit(now: TimeInterval) -> Result<Pass, CircuitOpenError.Wait> {
        lastUse = now
        switch phase {
        case .closed: return .success(Pass(era: era))
        case .probing: return .failure(.init(seconds: 0))
        case .open(let end) where now < end: return .failure(.init(seconds: end - now))
        case .open:
            phase = .probing
            return .success(Pass(era: era))
        }
    }

    /// Whether nothing was asked for so long that it could begin anew.
    func isForgettable(now: TimeInterval, _ policy: CircuitBreaker.Policy) -> Bool {
        switch phase {
        case .probing: false
        case .open(let end): now - end > policy.pause
        case .closed: now - lastUse > policy.pause
        }
    }

    /// Takes what a request came to. `nil` means that nothing is known, as it was cancelled. Returns what a later
    /// report on the same request is to be made with.
    @discardableResult
    mutating func report(
        _ pass: Pass, isFailure: Bool?, policy: CircuitBreaker.Policy, now: TimeInterval
    ) -> Pass {
        // It was let through before the circuit opened or closed, and says nothing about how the server does now.
        guard pass.era == era else { return pass }
        judge(isFailure, policy, now: now)
        // What a request that has opened the circuit comes to later is the same failure.
        return phase == .closed ? Pass(era: era) : pass
    }

    private mutating func judge(
        _ isFailure: Bool?, _ policy: CircuitBreaker.Policy, now: TimeInterval
    ) {
        guard let isFailure else {
            if phase == .probing { phase = .open(until: now) }
            return
        }
        guard phase == .closed else {
            return isFailure ? open(now: now, policy) : reset()
        }
        failures.append(isFailure)
        failures.removeFirst(max(0, failures.count - max(0, policy.window)))
        let count = failures.count { $0 }
        let isTooMuch = Double(count) >= policy.failureRatio * Double(failures.count)
        if failures.count >= policy.minimumCalls, count > 0, isTooMuch { open(now: now, policy) }
    }

    private mutating func open(now: TimeInterval, _ policy: CircuitBreaker.Policy) {
        reset()
        phase = .open(until: now + policy.pause)
    }

    private mutating func reset() {
        phase = .closed
        failures = []
        era += 1
    }
}
