#if ReactiveSwift
    import MoyaCore
    import ReactiveSwift

    extension SignalProducerProtocol where Value == ProgressResponse, Error == MoyaError {
        /// Passes the response of the last progress only.
        public func filterCompleted() -> SignalProducer<Response, MoyaError> {
            producer.compactMap(\.response)
        }

        /// Passes the completed fraction, from 0 to 1, of each progress but the last.
        public func filterProgress() -> SignalProducer<Double, MoyaError> {
            producer.filter { !$0.completed }.map(\.progress)
        }
    }
#endif
