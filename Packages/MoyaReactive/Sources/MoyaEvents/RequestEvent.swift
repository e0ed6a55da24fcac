import MoyaCore

/// What a subscriber to a request hears: values, and then one end.
public enum RequestEvent<Value: Sendable>: Sendable {
    /// A response, or how far it has come.
    case value(Value)
    /// The end of a request that succeeded: every value has come.
    case finished
    /// The end of a request that failed. A subscriber that cancels hears of no end.
    case failed(MoyaError)
}
