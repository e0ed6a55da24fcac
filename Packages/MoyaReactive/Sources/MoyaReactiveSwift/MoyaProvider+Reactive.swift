#if ReactiveSwift
    import Foundation
    import MoyaCore
    import MoyaEvents
    import ReactiveSwift

    /// Adds `reactive` to providers.
    extension MoyaProvider: @retroactive ReactiveExtensionsProvider {}

    extension Reactive where Base: MoyaProviderType {
        /// Returns a producer of the response to `token`. Each start has a separate request, which
        /// is cancelled when the start is disposed of.
        ///
        /// The producer does not retain the provider. If the provider is released, the producer
        /// fails with `NSURLErrorCancelled` (-999).
        ///
        /// - Parameters:
        ///   - token: The target to request.
        ///   - callbackQueue: Queue on which events arrive. With `nil` it is the provider's
        ///     callback queue, or the main queue if the provider has no callback queue.
        public func request(
            _ token: Base.Target, callbackQueue: DispatchQueue? = nil
        ) -> SignalProducer<Response, MoyaError> {
            .events(of: .response(to: token, from: base, callbackQueue: callbackQueue))
        }

        /// Returns a producer of the progress of a request to `token`. The last value has the
        /// response.
        ///
        /// Otherwise like ``request(_:callbackQueue:)``.
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
