#if RxSwift
    import MoyaCore
    import RxSwift

    extension ObservableType where Element == ProgressResponse {
        /// The response, once it is there.
        public func filterCompleted() -> Observable<Response> {
            compactMap(\.response)
        }

        /// The part that is done, from 0 to 1, until the response is there.
        public func filterProgress() -> Observable<Double> {
            filter { !$0.completed }.map(\.progress)
        }
    }
#endif
