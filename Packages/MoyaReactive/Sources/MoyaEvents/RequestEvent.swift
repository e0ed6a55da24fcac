import MoyaCore

/// What a subscriber to a request hears: values, and then one end.
@_spi(MoyaInternals)
public enum RequestEvent<Value: Sendable>: Sendable {
    case value(Value)
    case finished
    case failed(MoyaError)
}
