#if ReactiveSwift
    import MoyaCore
    import MoyaReactiveTestSupport
    import ReactiveSwift

    extension SignalProducer where Value: Sendable, Error == MoyaError {
        func subscribe(_ log: EventLog<Value>) -> any Disposable {
            start(
                Signal.Observer(
                    value: log.value, failed: log.failed, completed: log.finished,
                    interrupted: log.interrupted))
        }
    }

    extension SignalProducer where Value: Sendable & Equatable, Error == MoyaError {
        /// What comes at once.
        var outcome: Outcome<Value> {
            let log = EventLog<Value>()
            subscribe(log).dispose()
            return Outcome(values: log.values, ends: log.ends)
        }
    }
#endif
