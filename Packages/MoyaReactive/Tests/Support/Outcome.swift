/// What became of a stream that has one value or fails, at once.
public enum Outcome<Value: Equatable & Sendable>: Equatable, Sendable {
    case value(Value)
    /// The kind of the error.
    case failed(String)
    /// Anything else, which would be a fault.
    case other(values: [Value], ends: [String])

    public init(values: [Value], ends: [String]) {
        switch (values.count, ends.count, values.first, ends.first) {
        case (1, 1, let value?, "finished"): self = .value(value)
        case (0, 1, _, let end?) where end != "finished": self = .failed(end)
        default: self = .other(values: values, ends: ends)
        }
    }
}
