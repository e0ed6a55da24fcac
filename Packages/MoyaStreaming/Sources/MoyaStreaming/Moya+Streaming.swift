import MoyaCore

// The names of this module under the prefix `Moya.`: see `Moya` in MoyaCore.
extension Moya {
    public typealias EventSource = MoyaStreaming.EventSource
    public typealias EventSourceOptions = MoyaStreaming.EventSourceOptions
    public typealias ServerSentEvent = MoyaStreaming.ServerSentEvent
    public typealias StreamingError = MoyaStreaming.StreamingError
    public typealias StreamingLimits = MoyaStreaming.StreamingLimits
}
