/// How a request ended.
struct Outcome: Sendable {
    var result: Result<Response, MoyaError>
    /// Whether plugins received this request in `willSend`. Requests that share a response were not
    /// sent: another request was, for all of them.
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

// The last steps of a request.
extension PluginHooks {
    /// Takes the last steps of a request, and returns the result for the caller: the plugins'
    /// `didReceive`, the last progress report, the plugins' `process`.
    ///
    /// - Parameter report: Makes the last progress report.
    func finish(
        _ outcome: Outcome, report: (Result<Response, MoyaError>) -> Void = { _ in }
    ) -> Result<Response, MoyaError> {
        if outcome.wasSent { didReceive(outcome.result) }
        report(outcome.result)
        return plugins.reduce(outcome.result) { $1.process($0, target: target) }
    }

    /// Takes the last steps of a stream if it failed, and returns its error. A plugin may replace
    /// the error with a response, but that response is not a stream, so it is ignored.
    func failure(of outcome: Outcome) -> MoyaError? {
        guard case .failure(let error) = outcome.result else { return nil }
        if case .failure(let last) = finish(outcome) { return last }
        return error
    }
}
