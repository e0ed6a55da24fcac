#if RxSwift
    import Foundation
    import MoyaCore
    import MoyaEvents
    import RxSwift

    /// Gives providers `rx`.
    extension MoyaProvider: @retroactive ReactiveCompatible {}

    extension Reactive where Base: MoyaProviderType {
        /// The response to `token`. The request is made on every subscription, and cancelled when it is
        /// disposed of.
        ///
        /// The provider is not kept alive. Without it, the error is `NSURLErrorCancelled` (-999).
        ///
        /// - Parameters:
        ///   - token: The target to request.
        ///   - callbackQueue: Where events arrive. `nil` means the provider's own, or else the main queue.
        /// - Returns: The response, or a ``MoyaError``.
        public func request(
            _ token: Base.Target, callbackQueue: DispatchQueue? = nil
        ) -> Single<Response> {
            let source = RequestSource.response(
                to: token, from: base, callbackQueue: callbackQueue)
            return Single.create { observer in
                let subscription = source.start { event in
                    switch event {
                    case .value(let response): observer(.success(response))
                    case .finished: break
                    case .failed(let error): observer(.failure(error))
                    }
                }
                return Disposables.create(with: subscription.cancel)
            }
        }

        /// The progress of a request to `token`. The last element has the response.
        ///
        /// Everything else is as in ``request(_:callbackQueue:)``.
        public func requestWithProgress(
            _ token: Base.Target, callbackQueue: DispatchQueue? = nil
        ) -> Observable<ProgressResponse> {
            let source = RequestSource.progress(
                of: token, from: base, callbackQueue: callbackQueue)
            return Observable.create { observer in
                let subscription = source.start { event in
                    switch event {
                    case .value(let progress): observer.onNext(progress)
                    case .finished: observer.onCompleted()
                    case .failed(let error): observer.onError(error)
                    }
                }
                return Disposables.create(with: subscription.cancel)
            }
        }
    }
#endif
