/// Sends HTTP requests. The only interface between this library and the network.
///
/// A transport is a value or an object that several providers can share. The modules
/// `MoyaTransportCurl`, `MoyaTransportFoundation` and `MoyaTransportNIO` each provide one.
/// Implement this protocol for other networks.
///
/// ## Plugin or layer
///
/// A ``PluginType`` is called before a request is sent and after its response, and returns
/// immediately: it sets a header field, logs the request or changes a result. A *layer* is a
/// transport that wraps another transport. It can wait, send a request again, respond without the
/// network, or read the body as it arrives: retries, token refresh, caches. Implement a layer to
/// wait for or repeat requests; otherwise a plugin is simpler.
///
/// ## Writing a layer
///
/// ```swift
/// struct Stamped: Transport {
///     let next: any Transport
///
///     var sessionHeaders: [String: String] { next.sessionHeaders }
///
///     func send(_ request: TransportRequest) async throws -> TransportResponse {
///         var request = request
///         let id = "\(UInt64.random(in: 0 ... .max))"
///         request.urlRequest.setValue(id, forHTTPHeaderField: "X-Request-ID")
///         return try await next.send(request)
///     }
/// }
///
/// let provider = MoyaProvider<GitHub>(transport: Stamped(next: CurlTransport()))
/// ```
///
/// A layer that does not return a response it has received calls ``TransportResponse/discard()`` on
/// it. A layer that repeats a request checks ``RequestBody/isReplayable`` first.
/// ``ResponseBodyStream/whenEnded(_:)`` reports how a streamed body ended.
///
/// ## Writing a transport
///
/// ```swift
/// func send(_ request: TransportRequest) async throws -> TransportResponse {
///     try await request.keepingDeadline { request in
///         try await request.followingRedirects { request in
///             try await request.answeringChallenges(authentications) { request in
///                 try request.validate()
///                 let connection = Connection(request)
///                 return try await withTaskCancellationHandler {
///                     try await connection.exchange()
///                 } onCancel: {
///                     connection.cancel()
///                 }
///             }
///         }
///     }
/// }
/// ```
///
/// This module implements the behavior that all transports share, so that a transport implements
/// only single exchanges:
///
/// - ``TransportRequest/validate(hasCache:)`` rejects invalid requests.
///   ``TransportRequest/followingRedirects(_:)`` and ``TransportRequest/answeringChallenges(_:_:)``
///   send the follow-up requests. ``TransportRequest/keepingDeadline(_:)`` ends them all, with a
///   streamed body, at the request's ``TransportRequest/deadline``.
/// - ``RequestBody/makeStream()`` reads a request's body of any kind.
/// - ``ResponseBodySink`` writes a response's body to memory or to a file. For a stream, a
///   ``ResponseBodyWriter`` fills a ``ResponseBodyStream``: ``ResponseBodyWriter/write(_:)``
///   suspends while its buffer is full, which applies back-pressure to the server.
/// - ``TransportRequest/reportExchange(_:metrics:)`` reports the end of an exchange to the
///   request's observer.
/// - Errors are `URLError`s whose underlying error is the HTTP library's:
///   `URLError(_:_:url:cause:)`.
///
/// `Examples/Sources/SocketTransport` is a complete transport over plain sockets.
/// `MoyaTransportNIO` adapts an HTTP client.
///
/// ## Cancelling
///
/// Cancelling the task that called ``send(_:)`` ends the exchange at any time: the transport closes
/// the connection or its stream, releases the source of the request's body, removes an incomplete
/// file, and ``send(_:)`` throws `URLError(.cancelled)` once. A streamed body outlives
/// ``send(_:)``: the `stop` closure of its writer then ends the exchange.
///
/// ## Requirements
///
/// The product `MoyaTransportConformance` contains test cases for these behaviors. They run against
/// a server on 127.0.0.1. Run them in the transport's tests, and exclude the cases that it cannot
/// pass, with the reason:
///
/// ```swift
/// @Test(
///     arguments: TransportConformance.cases.excluding([
///         "gzip and deflate bodies are decoded": "It decompresses nothing."
///     ]))
/// func conforms(to behaviour: TransportConformance.Case) async throws {
///     try await behaviour.run(on: MyTransport())
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends `request` and returns the response when it is complete, or after its header fields if
    /// the request's destination is ``ResponseDestination/stream``.
    ///
    /// Any status code is a response, not an error.
    ///
    /// - Throws: A `URLError` with the code of the failure (`.timedOut`, `.cannotFindHost`,
    ///   `.networkConnectionLost`, …) and the cause under `NSUnderlyingErrorKey`. If the calling
    ///   task is cancelled, cancels the exchange and throws `URLError(.cancelled)`.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Header fields that the transport adds to a request that does not have them, such as
    /// `User-Agent`, for logs: see ``RequestType/sessionHeaders``. Empty by default. A layer
    /// returns those of the transport that it owns.
    var sessionHeaders: [String: String] { get }
}

extension Transport {
    public var sessionHeaders: [String: String] { [:] }
}
