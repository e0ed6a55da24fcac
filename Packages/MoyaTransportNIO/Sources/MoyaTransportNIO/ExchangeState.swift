#if AsyncHTTPClient
    import MoyaCore

    /// How far an exchange is, and what ends its tasks.
    enum ExchangeState {
        typealias Cancel = @Sendable () -> Void

        case running([Cancel])
        /// Ended from outside, by a cancel or the idle timer.
        case stopped(URLError.Code)
        /// The request's body has failed.
        case bodyFailed(any Error)
        case over

        /// Takes what ends a task. Returns it where the exchange has ended: call it at once.
        mutating func adopt(_ cancel: @escaping Cancel) -> Cancel? {
            guard case .running(let others) = self else { return cancel }
            self = .running(others + [cancel])
            return nil
        }

        /// Ends the exchange, unless it has ended. Returns what ends its tasks.
        mutating func end(_ end: ExchangeState) -> [Cancel] {
            guard case .running(let cancels) = self else { return [] }
            self = end
            return cancels
        }
    }
#endif
