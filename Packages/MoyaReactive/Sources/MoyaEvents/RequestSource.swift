import Foundation
import MoyaCore
import MoyaInternals

/// A source of requests: each subscription sends a separate request.
///
/// The source does not retain its provider. If the provider is released, subscriptions fail with
/// `NSURLErrorCancelled` (-999).
public struct RequestSource<Value: Sendable>: Sendable {
    typealias Receive = @Sendable (RequestEvent<Value>) -> Void

    let make: @Sendable (@escaping Receive) -> (any Cancellable)?

    /// Sends the request with unlimited demand, and passes its events to `sink`, one at a time.
    public func start(_ sink: @escaping (RequestEvent<Value>) -> Void) -> RequestSubscription<Value>
    {
        let subscription = RequestSubscription(self) { event in
            sink(event)
            return nil
        }
        subscription.request(nil)
        return subscription
    }

    private init<Provider: MoyaProviderType>(
        _ provider: Provider, _ callbackQueue: DispatchQueue?,
        make: @escaping @Sendable (Provider, @escaping Receive) -> any Cancellable
    ) {
        self.make = { [weak provider] receive in
            if let provider { return make(provider, receive) }
            // Without a queue the failure is synchronous, because not every program runs the main
            // queue.
            let fail = { @Sendable in
                receive(.failed(.underlying(ReleasedProvider.error, nil)))
            }
            if let callbackQueue { callbackQueue.async(execute: fail) } else { fail() }
            return nil
        }
    }
}

extension RequestSource<Response> {
    /// Returns a source of the response to `target`.
    public static func response<Provider: MoyaProviderType>(
        to target: Provider.Target, from provider: Provider, callbackQueue: DispatchQueue?
    ) -> Self {
        Self(provider, callbackQueue) { provider, receive in
            provider.request(target, callbackQueue: callbackQueue, progress: nil) { result in
                switch result {
                case .success(let response):
                    receive(.value(response))
                    receive(.finished)
                case .failure(let error): receive(.failed(error))
                }
            }
        }
    }
}

extension RequestSource<ProgressResponse> {
    /// Returns a source of the progress of a request to `target`. The last value has the response
    /// after the plugins' `process`.
    public static func progress<Provider: MoyaProviderType>(
        of target: Provider.Target, from provider: Provider, callbackQueue: DispatchQueue?
    ) -> Self {
        Self(provider, callbackQueue) { provider, receive in
            let newest = Locked<Progress?>(nil)
            let report: ProgressBlock = { report in
                guard let progress = report.progressObject else { return }
                newest.withLock { $0 = progress }
                // The last progress is delivered with the response, after the plugins have
                // processed it.
                if !report.completed { receive(.value(ProgressResponse(progress: progress))) }
            }
            return provider.request(target, callbackQueue: callbackQueue, progress: report) {
                switch $0 {
                case .success(let response):
                    let progress = newest.withLock { $0 }
                    receive(.value(ProgressResponse(progress: progress, response: response)))
                    receive(.finished)
                case .failure(let error): receive(.failed(error))
                }
            }
        }
    }
}
