#if RxSwift
    import MoyaCore
    import RxSwift

    extension ObservableType where Element == ProgressResponse {
        /// Emits only the response, which the last element has.
        public func filterCompleted() -> Observable<Response> {
            compactMap(\.response)
        }

        /// Emits the completed fraction, from 0 to 1, of each element except the last.
        public func filterProgress() -> Observable<Double> {
            filter { !$0.completed }.map(\.progress)
        }
    }
#endif
