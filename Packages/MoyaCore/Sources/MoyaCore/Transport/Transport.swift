/// Carries one HTTP exchange. The only seam between this library and the network.
///
/// A transport is a value or an object that many providers share. The modules `MoyaTransportCurl`,
/// `MoyaTransportFoundation` and `MoyaTransportNIO` each bring one; write your own to reach anything else.
///
/// ## Plugin or layer
///
/// A ``PluginType`` is called before a request is sent and after its response, and returns at once: it sets a header field,
/// writes a log line, changes a result. A *layer* is a transport that owns another transport. It may wait, send a request
/// again, answer without the network, or see the body as it arrives: retries, token refresh, caches. What has to wait or to
/// repeat is a layer; everything else is simpler as a plugin.
///
/// ## Writing a layer
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
///
/// let provider = MoyaProvider<GitHub>(transport: Stamped(next: CurlTransport()))
/// ```
///
/// A layer that does not return a response it has received calls ``TransportResponse/discard()`` on it. A layer that sends a
/// request again checks ``RequestBody/isReplayable`` first. ``ResponseBodyStream/whenEnded(_:)`` tells it how a streamed
/// body ended.
///
/// ## Writing a transport
///
/// ```swift
/// func send(_ request: TransportRequest) async throws -> TransportResponse {
///     try await request.followingRedirects { request in
///         try await request.answeringChallenges(nonces) { request in
///             try request.validate()
///             let connection = Connection(request)
///             return try await withTaskCancellationHandler {
///                 try await connection.exchange()
///             } onCancel: {
///                 connection.cancel()
///             }
///         }
///     }
/// }
/// ```
///
/// What all transports do alike is in this module, so that a transport carries single exchanges and no more:
///
/// - ``TransportRequest/validate(hasCache:)`` refuses what no message can hold. ``TransportRequest/followingRedirects(_:)`` and
///   ``TransportRequest/answeringChallenges(_:_:)`` send the exchanges that follow.
/// - ``RequestBody/makeStream()`` reads a request's body, whatever its kind.
/// - ``ResponseBodySink`` takes a response's body to memory or to a file. For a stream, a ``ResponseBodyWriter`` fills a
///   ``ResponseBodyStream``: ``ResponseBodyWriter/write(_:)`` waits while the reader is behind, which holds the server back.
/// - An error is a `URLError` with its cause, the library's own error: `URLError(_:_:url:cause:)`.
///
/// `Examples/Sources/SocketTransport` is a whole transport over plain sockets, and `MoyaTransportNIO` a transport that adapts an HTTP
/// client.
///
/// ## Cancelling
///
/// Cancelling the task that called ``send(_:)`` ends the exchange at any moment: the connection is closed or given up, the
/// source of the request's body is released, a file that is not whole is removed, and ``send(_:)`` throws
/// `URLError(.cancelled)`, once. A stream outlives ``send(_:)``: the `stop` of its writer ends the exchange then.
///
/// ## What must hold
///
/// The product `MoyaTransportConformance` has every behaviour as a case that runs against a server on 127.0.0.1. Run them in the
/// transport's tests, and name the cases that it cannot pass with the reason:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases.excluding(["gzip and deflate bodies are decoded": "It decompresses nothing."]))
/// func conforms(to behaviour: TransportConformance.Case) async throws {
///     try await behaviour.run(on: MyTransport())
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

    /// Executor of the thread that carries requests out, or `nil` where there is no such thread.
    ///
    /// A provider without plugins runs the tasks that it starts itself there, so that a request with a completion crosses to no
    /// other thread on its way to the connection and back. Plugins may block, so a provider with plugins does not use it.
    /// The default is `nil`. A layer keeps it, unless none of its work can hold a thread up.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    var taskExecutor: (any TaskExecutor)? { get }
}

extension Transport {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    public var taskExecutor: (any TaskExecutor)? { nil }
}
