/// How a request ended.
struct Outcome: Sendable {
    var result: Result<Response, MoyaError>
    /// Whether plugins have to receive the result: they received the request in `willSend`, and no
    /// task that sends for several requests has told them its result.
    let wasSent: Bool
    /// The body of a request to a stream that was answered. Plugins receive its end in `didReceive`
    /// unless `result` is a failure.
    let stream: StreamingResponse?
    /// Ends the wait for a shared response. Called when the caller has the result.
    let leave: (@Sendable () -> Void)?

    init(
        _ result: Result<Response, MoyaError>, wasSent: Bool, stream: StreamingResponse? = nil,
        leave: (@Sendable () -> Void)? = nil
    ) {
        (self.result, self.wasSent, self.stream, self.leave) = (result, wasSent, stream, leave)
    }

    static func cancelled(wasSent: Bool) -> Outcome {
        Outcome(.failure(.cancelled), wasSent: wasSent)
    }
}
