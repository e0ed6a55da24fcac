import Foundation

/// State machine of one server's circuit. No I/O.
struct CircuitState: Sendable {
    enum Phase: Equatable {
        /// Requests are let through.
        case closed
        /// No request is let through before this time.
        case open(until: TimeInterval)
        /// One request has been let through, and its outcome is pending.
        case probing
    }

    /// Identifies the era in which a request was let through.
    struct Pass: Sendable {
        let era: Int
        /// The phase that the circuit has entered in this step. `nil` if it has not changed.
        var change: Phase?
    }

    private(set) var phase = Phase.closed
    /// Outcomes of the last requests, oldest first. `true` is a failure.
    private var failures: [Bool] = []
    /// Number of times that the circuit has opened or closed.
    private var era = 0
    private var lastUse: TimeInterval = 0

    /// Lets a request to `origin` through, or returns the error with the time until the next
    /// attempt.
    mutating func admit(_ origin: String, now: TimeInterval) -> Result<Pass, CircuitOpenError> {
        lastUse = now
        switch phase {
        case .closed: break
        case .probing: return .failure(CircuitOpenError(origin: origin, retryAfter: 0))
        case .open(let end) where now < end:
            return .failure(CircuitOpenError(origin: origin, retryAfter: end - now))
        case .open:
            phase = .probing
            return .success(Pass(era: era, change: phase))
        }
        return .success(Pass(era: era))
    }

    /// Whether the circuit has been idle so long that it can be removed.
    func isForgettable(now: TimeInterval, _ policy: CircuitBreaker.Policy) -> Bool {
        switch phase {
        case .probing: false
        case .open(let end): now - end > policy.pause
        case .closed: now - lastUse > policy.pause
        }
    }

    /// Applies the outcome of a request. `nil` means that it is unknown, because the request was
    /// cancelled or failed on the client's side. Returns the pass for a later report on the same
    /// request.
    mutating func report(
        _ pass: Pass, isFailure: Bool?, policy: CircuitBreaker.Policy, now: TimeInterval
    ) -> Pass {
        // The request was let through before the circuit opened or closed, so its outcome does not
        // reflect the server's current state.
        guard pass.era == era else { return Pass(era: pass.era) }
        let before = phase
        judge(isFailure, policy, now: now)
        // If this request opened the circuit, it keeps its pass of the earlier era, so a later
        // failure of its stream does not count again.
        return Pass(
            era: phase == .closed ? era : pass.era, change: phase == before ? nil : phase)
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
