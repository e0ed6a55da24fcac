#if canImport(Combine) || OpenCombine
    import Foundation
    import MoyaCore
    import MoyaEvents

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    extension MoyaProviderType {
        /// Returns a publisher of the response to `target`. Each subscriber has a separate request,
        /// which is sent on the first demand and cancelled when the subscriber cancels.
        ///
        /// The publisher does not retain the provider. If the provider is released, the publisher
        /// fails with `NSURLErrorCancelled` (-999).
        ///
        /// - Parameters:
        ///   - target: The target to request.
        ///   - callbackQueue: Queue on which events arrive. With `nil` it is the provider's
        ///     callback queue, or the main queue if the provider has no callback queue.
        public func requestPublisher(
            _ target: Target, callbackQueue: DispatchQueue? = nil
        ) -> AnyPublisher<Response, MoyaError> {
            RequestPublisher(
                source: .response(to: target, from: self, callbackQueue: callbackQueue)
            )
            .eraseToAnyPublisher()
        }

        /// Returns a publisher of the progress of a request to `target`. The last value has the
        /// response.
        ///
        /// If the demand is limited, only the newest progress is kept until the next demand. The
        /// last value is always delivered on demand. Otherwise like
        /// ``requestPublisher(_:callbackQueue:)``.
        public func requestWithProgressPublisher(
            _ target: Target, callbackQueue: DispatchQueue? = nil
        ) -> AnyPublisher<ProgressResponse, MoyaError> {
            RequestPublisher(
                source: .progress(of: target, from: self, callbackQueue: callbackQueue)
            )
            .eraseToAnyPublisher()
        }
    }
#endif
