#if ReactiveSwift
    import MoyaCore
    import ReactiveSwift

    extension SignalProducerProtocol where Value == ProgressResponse, Error == MoyaError {
        /// The response, once it is there.
        public func filterCompleted() -> SignalProducer<Response, MoyaError> {
            producer.compactMap(\.response)
        }

        /// The part that is done, from 0 to 1, until the response is there.
        public func filterProgress() -> SignalProducer<Double, MoyaError> {
            producer.filter { !$0.completed }.map(\.progress)
        }
    }
#endif
