import Foundation
import MoyaCore

extension Transport {
    /// Wraps this transport in a layer that reports what happens to each request to `listener`: its
    /// start and its end, each exactly once, and in between what happens in the layers and the
    /// transport inside. `listener` is called on an arbitrary thread and must not block.
    ///
    /// ```swift
    /// let transport = CurlTransport().retrying().observing { event in
    ///     switch event {
    ///     case .retrying(let request, _, let delay): print("again in", delay, "s:", request)
    ///     case .circuit(let origin, let state): print(origin, "is", state)
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// To read the events as a stream, yield them to the continuation of an `AsyncStream`.
    public func observing(
        clock: any MoyaClock = .system, _ listener: @escaping @Sendable (ExchangeEvent) -> Void
    ) -> some Transport {
        observing(clock: clock, if: { true }, listener)
    }

    /// Like ``observing(clock:_:)``, for the requests that begin while `isNeeded` returns `true`.
    ///
    /// - Parameter inside: Whether `listener` gets the events between the start and the end.
    func observing(
        clock: any MoyaClock, inside: Bool = true, if isNeeded: @escaping @Sendable () -> Bool,
        _ listener: @escaping @Sendable (ExchangeEvent) -> Void
    ) -> some Transport {
        Layer(around: self) { request in
            guard isNeeded() else { return try await send(request) }
            listener(.began(request))
            let start = clock.uptime
            return try await perform {
                try await send(inside ? request.observed(by: listener) : request)
            } whenEnded: { outcome in
                listener(.ended(request, outcome, duration: clock.uptime - start))
            }
        }
    }
}

extension TransportRequest {
    /// Returns this request with `listener` added to its observer.
    fileprivate func observed(
        by listener: @escaping @Sendable (ExchangeEvent) -> Void
    ) -> TransportRequest {
        var request = self
        request.observer = listener
        if let outer = observer {
            request.observer = { event in
                listener(event)
                outer(event)
            }
        }
        return request
    }
}

extension RequestContext {
    /// Number of times that layers have sent the request before: 0 for the first attempt. Spans
    /// have it as `http.request.resend_count`. A layer that sends a request again increments it.
    public var resendCount: Int {
        get { self[ResendCountKey.self] }
        set { self[ResendCountKey.self] = newValue }
    }
}

private enum ResendCountKey: RequestContextKey {
    static func value(for target: (any TargetType)?) -> Int { 0 }
}
