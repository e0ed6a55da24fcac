#if canImport(Combine) || OpenCombine
    import MoyaCore
    import MoyaReactiveTestSupport

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    extension Publisher where Output: Sendable, Failure == MoyaError {
        func subscribe(_ log: EventLog<Output>) -> AnyCancellable {
            sink(
                receiveCompletion: { end in
                    switch end {
                    case .finished: log.finished()
                    case .failure(let error): log.failed(error)
                    }
                }, receiveValue: log.value)
        }
    }

    extension Publisher where Output: Sendable & Equatable, Failure == MoyaError {
        /// What comes at once.
        var outcome: Outcome<Output> {
            let log = EventLog<Output>()
            subscribe(log).cancel()
            return Outcome(values: log.values, ends: log.ends)
        }
    }
#endif
