#if RxSwift
    import MoyaCore
    import RxSwift

    extension ObservableType where Element == ProgressResponse {
        /// Passes the response of the last progress only.
        public func filterCompleted() -> Observable<Response> {
            compactMap(\.response)
        }

        /// Passes the completed fraction, from 0 to 1, of each progress but the last.
        public func filterProgress() -> Observable<Double> {
            filter { !$0.completed }.map(\.progress)
        }
    }
#endif
