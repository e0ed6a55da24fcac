import MoyaCore

/// An event of a request: values, followed by one end.
public enum RequestEvent<Value: Sendable>: Sendable {
    /// A response or a progress.
    case value(Value)
    /// The request succeeded, and all values have been delivered.
    case finished
    /// The request failed. A subscriber that cancels receives no end.
    case failed(MoyaError)
}
