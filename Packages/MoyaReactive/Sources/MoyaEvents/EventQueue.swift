import MoyaCore

/// Queues the events of one request between the provider and a subscriber. No I/O.
///
/// Values wait for demand. Without demand only the newest value is kept, because a newer progress
/// supersedes an older one. A successful end is delivered after all queued values. A failure is
/// delivered after the demanded values, and drops the others.
struct EventQueue<Value: Sendable> {
    private var values: [Value] = []
    /// Number of values that the subscriber may still receive. `nil` is unlimited.
    private var demand: Int? = 0
    /// The last event, once it has been added.
    private var end: RequestEvent<Value>?
    private var isDelivering = false
    private(set) var isOver = false

    /// Adds an event. Events after an end are ignored.
    mutating func add(_ event: RequestEvent<Value>) {
        guard !isOver, end == nil else { return }
        if case .value(let value) = event {
            if let demand, values.count > demand { values.removeLast() }
            values.append(value)
        } else {
            end = event
        }
    }

    /// Adds a demand of `count` values, or unlimited demand for `nil`.
    mutating func ask(for count: Int?) {
        guard let current = demand else { return }
        guard let count else {
            demand = nil
            return
        }
        let (sum, isTooMuch) = current.addingReportingOverflow(max(0, count))
        demand = isTooMuch ? nil : sum
    }

    /// Acquires the right to deliver. Returns `false` if another thread holds it. The holder calls
    /// ``next()`` until it returns `nil`.
    mutating func beginDelivery() -> Bool {
        defer { isDelivering = true }
        return !isDelivering
    }

    /// Returns the next event to deliver, or `nil`, which releases the right to deliver.
    mutating func next() -> RequestEvent<Value>? {
        if !isOver {
            if demand != 0, !values.isEmpty {
                if let current = demand { demand = current - 1 }
                return .value(values.removeFirst())
            }
            switch end {
            case .finished where values.isEmpty, .failed:
                close()
                return end
            case .finished, .value, nil: break
            }
        }
        isDelivering = false
        return nil
    }

    /// Ends delivery and drops queued values.
    mutating func close() {
        isOver = true
        values = []
    }
}
