import MoyaCore

/// The events of one request between the provider and a subscriber, without any I/O.
///
/// Values wait until they are demanded. Without demand, the newest alone is kept: each
/// says all that the one before it said. An end waits for the values before it, a failure only for
/// those that were asked for.
struct EventQueue<Value: Sendable> {
    private enum End {
        case finished
        case failed(MoyaError)
    }

    private var values: [Value] = []
    /// How many more values the subscriber takes. `nil` is any number.
    private var demand: Int? = 0
    private var end: End?
    private var isDelivering = false
    private(set) var isOver = false

    /// Takes in an event. Nothing comes after an end.
    mutating func add(_ event: RequestEvent<Value>) {
        guard !isOver, end == nil else { return }
        switch event {
        case .value(let value):
            if let demand, values.count > demand { values.removeLast() }
            values.append(value)
        case .finished: end = .finished
        case .failed(let error): end = .failed(error)
        }
    }

    /// Lets the subscriber take `count` more values, any number if it is `nil`.
    mutating func ask(for count: Int?) {
        guard let current = demand else { return }
        guard let count else {
            demand = nil
            return
        }
        let (sum, isTooMuch) = current.addingReportingOverflow(max(0, count))
        demand = isTooMuch ? nil : sum
    }

    /// Takes the right to deliver. Its owner calls ``next()`` until there is nothing more.
    mutating func beginDelivery() -> Bool {
        defer { isDelivering = true }
        return !isDelivering
    }

    /// The event to deliver now. `nil` gives back the right to deliver.
    mutating func next() -> RequestEvent<Value>? {
        if !isOver {
            if demand != 0, !values.isEmpty {
                if let current = demand { demand = current - 1 }
                return .value(values.removeFirst())
            }
            switch end {
            case .failed(let error):
                close()
                return .failed(error)
            case .finished where values.isEmpty:
                close()
                return .finished
            case .finished, nil: break
            }
        }
        isDelivering = false
        return nil
    }

    /// Nothing is delivered from here on.
    mutating func close() {
        isOver = true
        values = []
    }
}
