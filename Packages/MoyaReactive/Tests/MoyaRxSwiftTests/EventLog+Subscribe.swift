#if RxSwift
    import MoyaCore
    import MoyaReactiveTestSupport
    import RxSwift

    extension ObservableConvertibleType where Element: Sendable {
        func subscribe(_ log: EventLog<Element>) -> any Disposable {
            asObservable().subscribe(
                onNext: log.value, onError: log.failed, onCompleted: log.finished)
        }
    }

    extension ObservableConvertibleType where Element: Sendable & Equatable {
        /// What comes at once.
        var outcome: Outcome<Element> {
            let log = EventLog<Element>()
            subscribe(log).dispose()
            return Outcome(values: log.values, ends: log.ends)
        }
    }
#endif
