/// Carries one HTTP exchange. The only seam between this library and the network.
///
/// A transport is a value or an object that many providers share. `MoyaTransportCurl`
/// and `MoyaTransportFoundation` bring two; write your own to reach anything else.
/// A transport that owns another transport is a *layer*: it may retry, cache, record
/// or replace the exchange, and still is a transport to its caller.
///
/// ```swift
/// struct Stamped: Transport {
///     let next: any Transport
///
///     func send(_ request: TransportRequest) async throws -> TransportResponse {
///         var request = request
///         request.urlRequest.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-ID")
///         return try await next.send(request)
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends `request` and returns once the whole response has arrived, or its header fields where the
    /// request wants a ``ResponseDestination/stream``.
    ///
    /// Any status code is a response, not an error.
    ///
    /// - Throws: A `URLError` whose code says what went wrong (`.timedOut`,
    ///   `.cannotFindHost`, `.networkConnectionLost`, …), with the cause under
    ///   `NSUnderlyingErrorKey`. Cancelling the task that waits cancels the
    ///   exchange and throws `URLError(.cancelled)`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}
