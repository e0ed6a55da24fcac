#if RxSwift
    import Foundation
    import MoyaCore
    import MoyaEvents
    import RxSwift

    /// Adds `rx` to providers.
    extension MoyaProvider: @retroactive ReactiveCompatible {}

    extension Reactive where Base: MoyaProviderType {
        /// Returns a single of the response to `token`. Each subscription has a separate request,
        /// which is cancelled when the subscription is disposed of.
        ///
        /// The single does not retain the provider. If the provider is released, the single fails
        /// with `NSURLErrorCancelled` (-999).
        ///
        /// - Parameters:
        ///   - token: The target to request.
        ///   - callbackQueue: Queue on which events arrive. With `nil` it is the provider's
        ///     callback queue, or the main queue if the provider has no callback queue.
        /// - Returns: A single that delivers the response or fails with a `MoyaError`.
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

        /// Returns an observable of the progress of a request to `token`. The last element has the
        /// response.
        ///
        /// Otherwise like ``request(_:callbackQueue:)``.
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
