#if canImport(Combine) || OpenCombine
    import MoyaCore
    import MoyaEvents

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    /// Publishes the events of a request, which is sent on a subscriber's first demand.
    struct RequestPublisher<Output: Sendable>: Publisher {
        typealias Failure = MoyaError

        let source: RequestSource<Output>

        func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == MoyaError {
            subscriber.receive(subscription: PublisherSubscription(source, subscriber))
        }
    }

    /// Forwards the demand and the cancellation of a subscriber.
    private final class PublisherSubscription<Output: Sendable>: Subscription {
        private let subscription: RequestSubscription<Output>

        init<Downstream: Subscriber>(_ source: RequestSource<Output>, _ subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == MoyaError {
            subscription = RequestSubscription(source) { event in
                switch event {
                case .value(let value): return subscriber.receive(value).max
                case .finished: subscriber.receive(completion: .finished)
                case .failed(let error): subscriber.receive(completion: .failure(error))
                }
                return 0
            }
        }

        func request(_ demand: Subscribers.Demand) { subscription.request(demand.max) }

        func cancel() { subscription.cancel() }
    }
#endif
