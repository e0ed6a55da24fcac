#if canImport(Combine) || OpenCombine
    import MoyaCore

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    extension Publisher where Output == ProgressResponse, Failure == MoyaError {
        /// Passes the response of the last progress only.
        public func filterCompleted() -> AnyPublisher<Response, MoyaError> {
            compactMap(\.response).eraseToAnyPublisher()
        }

        /// Passes the completed fraction, from 0 to 1, of each progress but the last.
        public func filterProgress() -> AnyPublisher<Double, MoyaError> {
            filter { !$0.completed }.map(\.progress).eraseToAnyPublisher()
        }
    }
#endif
