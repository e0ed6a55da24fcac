/// Result of a stream that delivers one value or an error while it is subscribed to.
public enum Outcome<Value: Equatable & Sendable>: Equatable, Sendable {
    case value(Value)
    /// The kind of the error.
    case failed(String)
    /// Any other sequence of events, which is an error.
    case other(values: [Value], ends: [String])

    public init(values: [Value], ends: [String]) {
        switch (values.count, ends.count, values.first, ends.first) {
        case (1, 1, let value?, "finished"): self = .value(value)
        case (0, 1, _, let end?) where end != "finished": self = .failed(end)
        default: self = .other(values: values, ends: ends)
        }
    }
}
