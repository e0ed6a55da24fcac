/// How a request ended.
struct Outcome: Sendable {
    var result: Result<Response, MoyaError>
    /// Whether plugins have received the request in `willSend`, but not yet this result.
    let needsDidReceive: Bool
    /// The body of a response to a stream, whose other parts `result` has. Plugins receive its end
    /// in `didReceive`, unless `result` is a failure.
    let body: ResponseBodyStream?
    /// Ends the wait for a shared response. Called when the caller has the result.
    let leave: (@Sendable () -> Void)?

    init(
        _ result: Result<Response, MoyaError>, needsDidReceive: Bool = true,
        body: ResponseBodyStream? = nil, leave: (@Sendable () -> Void)? = nil
    ) {
        self.result = result
        self.needsDidReceive = needsDidReceive
        self.body = body
        self.leave = leave
    }

    /// The response, also that of an error.
    var response: Response? {
        switch result {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }

    static func cancelled(needsDidReceive: Bool = true) -> Outcome {
        Outcome(.failure(.cancelled), needsDidReceive: needsDidReceive)
    }
}
