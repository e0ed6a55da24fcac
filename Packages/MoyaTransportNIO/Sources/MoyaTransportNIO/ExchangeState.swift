#if AsyncHTTPClient
    import MoyaCore

    /// State of an exchange, with the closures that cancel its tasks.
    enum ExchangeState {
        typealias Cancel = @Sendable () -> Void

        case running([Cancel])
        /// Ended by a cancellation or the idle timer.
        case stopped(URLError.Code)
        /// Ended by the request's deadline.
        case timedOut
        /// Ended by an error of the request body.
        case bodyFailed(any Error)
        case over

        /// Registers a closure that cancels a task. Returns the closure if the exchange has ended;
        /// the caller must call it.
        mutating func adopt(_ cancel: @escaping Cancel) -> Cancel? {
            guard case .running(let others) = self else { return cancel }
            self = .running(others + [cancel])
            return nil
        }

        /// Ends the exchange, unless it has ended. Returns the closures that cancel its tasks.
        mutating func end(_ end: ExchangeState) -> [Cancel] {
            guard case .running(let cancels) = self else { return [] }
            self = end
            return cancels
        }
    }
#endif
