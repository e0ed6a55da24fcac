/// How a request ended.
struct Outcome: Sendable {
    var result: Result<Response, MoyaError>
    /// Whether plugins have received the request in `willSend`, but not yet this result.
    let needsDidReceive: Bool
    /// The body of a request to a stream that was answered. Plugins receive its end in `didReceive`
    /// unless `result` is a failure.
    let stream: StreamingResponse?
    /// Ends the wait for a shared response. Called when the caller has the result.
    let leave: (@Sendable () -> Void)?

    init(
        _ result: Result<Response, MoyaError>, needsDidReceive: Bool = true,
        stream: StreamingResponse? = nil, leave: (@Sendable () -> Void)? = nil
    ) {
        self.result = result
        self.needsDidReceive = needsDidReceive
        self.stream = stream
        self.leave = leave
    }

    static func cancelled(needsDidReceive: Bool = true) -> Outcome {
        Outcome(.failure(.cancelled), needsDidReceive: needsDidReceive)
    }
}
