#if ReactiveSwift
    import Foundation
    import MoyaCore
    import MoyaEvents
    import ReactiveSwift

    /// Gives providers `reactive`.
    extension MoyaProvider: @retroactive ReactiveExtensionsProvider {}

    extension Reactive where Base: MoyaProviderType {
        /// The response to `token`. The request is made on every start, and cancelled when it is
        /// disposed of.
        ///
        /// The provider is not kept alive. Without it, the error is `NSURLErrorCancelled` (-999).
        ///
        /// - Parameters:
        ///   - token: The target to request.
        ///   - callbackQueue: Where events arrive. `nil` means the provider's own, or else the main queue.
        public func request(
            _ token: Base.Target, callbackQueue: DispatchQueue? = nil
        ) -> SignalProducer<Response, MoyaError> {
            .events(of: .response(to: token, from: base, callbackQueue: callbackQueue))
        }

        /// The progress of a request to `token`. The last value has the response.
        ///
        /// Everything else is as in ``request(_:callbackQueue:)``.
        public func requestWithProgress(
            _ token: Base.Target, callbackQueue: DispatchQueue? = nil
        ) -> SignalProducer<ProgressResponse, MoyaError> {
            .events(of: .progress(of: token, from: base, callbackQueue: callbackQueue))
        }
    }

    extension SignalProducer where Value: Sendable, Error == MoyaError {
        fileprivate static func events(of source: RequestSource<Value>) -> Self {
            SignalProducer { observer, lifetime in
                let subscription = source.start { event in
                    switch event {
                    case .value(let value): observer.send(value: value)
                    case .finished: observer.sendCompleted()
                    case .failed(let error): observer.send(error: error)
                    }
                }
                lifetime.observeEnded(subscription.cancel)
            }
        }
    }
#endif
