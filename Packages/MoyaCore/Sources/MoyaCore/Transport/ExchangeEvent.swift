import Foundation

/// What happens to a request, and what it changes in layers and in its transport.
///
/// `Transport.observing(_:)` of MoyaLayers reports these events. An observer sees what happens
/// inside it: around a layer that retries, it sees the call, its retries and each exchange. Inside
/// that layer, it sees each attempt begin and end.
///
/// A layer or transport of your own reports to ``TransportRequest/observer``. Further cases may be
/// added: end a `switch` with `default`.
public enum ExchangeEvent: Sendable {
    /// The request is about to be sent.
    case began(TransportRequest)
    /// The request ended after `duration` seconds: with the last byte, if the response's body is a
    /// stream. The response's metrics have the duration of each step.
    case ended(
        TransportRequest, Result<TransportResponse, any Error>, duration: TimeInterval)

    /// The transport has sent one request and received its response, or failed. A call has several
    /// exchanges after redirects, authentication challenges and retries. A streamed response is
    /// reported with its last byte.
    ///
    /// `metrics` has the durations that the transport can measure, also of a failed exchange. With
    /// CurlTransport, a timeout of an `https` request that has a `connect` and no `secureConnect`
    /// was one of the TLS handshake.
    case exchanged(
        TransportRequest, Result<TransportResponse, any Error>, metrics: TransportMetrics)
    /// A layer sends the request again in `delay` seconds, because of this outcome. Do not read the
    /// body of the response: it is discarded.
    case retrying(
        TransportRequest, Result<TransportResponse, any Error>, delay: TimeInterval)

    /// The request waits for a connection of the transport, or in the queue of a limiter, together
    /// with others: `waitingCount` requests wait in that queue, this one included.
    case queued(TransportRequest, waitingCount: Int)
    /// The request has left its queue after `wait` seconds, because it is sent, has failed or was
    /// cancelled. `waitingCount` other requests still wait.
    case dequeued(TransportRequest, waitingCount: Int, wait: TimeInterval)

    /// The request has changed the state of the circuit of `origin`: scheme, host and port.
    case circuit(origin: String, CircuitState)
    /// A refresh of the access token has begun.
    case refreshBegan
    /// A refresh of the access token has ended after `duration` seconds, with `error` if it failed.
    case refreshEnded(error: (any Error)?, duration: TimeInterval)

    /// A connection of the transport has changed its state. `previous` is `nil` for a new
    /// connection. `origin` is the scheme, host and port of the request that opened it.
    ///
    /// A connection belongs to the observer of the request that opened it. Only CurlTransport
    /// reports connections, except those over Unix domain sockets.
    case connection(origin: String, ConnectionState, previous: ConnectionState?)

    /// State of a circuit breaker's circuit.
    public enum CircuitState: String, Sendable {
        /// Requests are sent.
        case closed
        /// Requests fail at once.
        case open
        /// One request has been let through. Its outcome closes or opens the circuit.
        case halfOpen
    }

    /// State of a connection.
    public enum ConnectionState: Sendable, Equatable {
        /// It carries at least one request.
        case active
        /// It is kept for later requests.
        case idle
        /// It was closed, `lifetime` seconds after it had been established.
        case closed(lifetime: TimeInterval)
    }
}

extension TransportRequest {
    /// Reports the end of an exchange to ``observer`` as
    /// ``ExchangeEvent/exchanged(_:_:metrics:)``: at once, or when the body of a streamed response
    /// ends. Does nothing without an observer.
    ///
    /// For authors of transports: call it for each request that is sent.
    ///
    /// - Parameter metrics: The durations of a failed exchange. A response has its own.
    public func reportExchange(
        _ outcome: Result<TransportResponse, any Error>,
        metrics: TransportMetrics = TransportMetrics()
    ) {
        guard let observer else { return }
        switch outcome {
        case .failure: observer(.exchanged(self, outcome, metrics: metrics))
        case .success(let response):
            let begun = response.metrics
            response.whenEnded { end in
                let metrics = (try? end.get().metrics) ?? begun
                observer(.exchanged(self, end, metrics: metrics))
            }
        }
    }
}
