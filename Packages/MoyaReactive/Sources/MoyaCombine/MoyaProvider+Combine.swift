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
        /// The response to `target`. The request is made for every subscriber, when it first asks for a
        /// value, and cancelled when the subscriber cancels.
        ///
        /// The provider is not kept alive. Without it, the failure is `NSURLErrorCancelled` (-999).
        ///
        /// - Parameters:
        ///   - target: The target to request.
        ///   - callbackQueue: Where events arrive. `nil` means the provider's own, or else the main queue.
        public func requestPublisher(
            _ target: Target, callbackQueue: DispatchQueue? = nil
        ) -> AnyPublisher<Response, MoyaError> {
            RequestPublisher(
                source: .response(to: target, from: self, callbackQueue: callbackQueue)
            )
            .eraseToAnyPublisher()
        }

        /// The progress of a request to `target`. The last value has the response.
        ///
        /// A subscriber that asks for less than there is gets the newest progress when it asks again, and
        /// always gets the last one. Everything else is as in ``requestPublisher(_:callbackQueue:)``.
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
