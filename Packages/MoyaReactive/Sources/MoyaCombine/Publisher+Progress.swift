#if canImport(Combine) || OpenCombine
    import MoyaCore

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    extension Publisher where Output == ProgressResponse, Failure == MoyaError {
        /// The response, once it is there.
        public func filterCompleted() -> AnyPublisher<Response, MoyaError> {
            compactMap(\.response).eraseToAnyPublisher()
        }

        /// The part that is done, from 0 to 1, until the response is there.
        public func filterProgress() -> AnyPublisher<Double, MoyaError> {
            filter { !$0.completed }.map(\.progress).eraseToAnyPublisher()
        }
    }
#endif
