import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Reconnection options of an ``EventSource``.
public struct EventSourceOptions: Sendable {
    /// ID of the last event received, for example by an earlier source. Sent as `Last-Event-ID`.
    public var lastEventID: String
    /// Waits between connections. The base is the reconnection time, which the server's `retry`
    /// replaces. No wait is shorter than the base (WHATWG HTML, "Server-sent events"); the backoff
    /// prolongs the waits after consecutive failed attempts. `maximumRetryAfter` is not used.
    public var backoff: Backoff
    /// Lower bound for the server's `retry`, in seconds: `retry: 0` would reconnect in a loop. The
    /// upper bound is an hour.
    public var minimumDelay: TimeInterval
    /// Number of consecutive retries after a failed attempt. After that, the loop throws the last
    /// error. With 0 or less, the first failure ends it. `nil` means no limit.
    public var maximumRetries: Int?
    /// Whether a request whose method is not safe (RFC 9110, section 9.2.1), such as POST, is sent
    /// again after its connection has ended or failed. `false` by default: the server might process
    /// the request again.
    public var repeatsUnsafeRequests: Bool
    /// Limit of an event's data and of a line, in bytes.
    public var limit: Int
    /// Clock of the pauses.
    public var clock: any MoyaClock

    /// Creates the default options: three seconds between connections, and 3 to 60 seconds while
    /// attempts fail. Ten consecutive failures end the loop. Requests whose method is not safe are
    /// sent once.
    public init(
        lastEventID: String = "", backoff: Backoff = Backoff(base: 3, limit: 60),
        minimumDelay: TimeInterval = 0.5, maximumRetries: Int? = 9,
        repeatsUnsafeRequests: Bool = false,
        limit: Int = StreamingLimits.standard, clock: any MoyaClock = .system
    ) {
        self.lastEventID = lastEventID
        self.backoff = backoff
        self.minimumDelay = minimumDelay
        self.maximumRetries = maximumRetries
        self.repeatsUnsafeRequests = repeatsUnsafeRequests
        self.limit = limit
        self.clock = clock
    }

    /// Returns the pause before the next connection, in seconds.
    ///
    /// - Parameters:
    ///   - named: The server's `retry`, in seconds. Bounded by ``minimumDelay`` and an hour.
    ///   - failures: Number of consecutive failed attempts.
    func pause(named: TimeInterval?, after failures: Int) -> TimeInterval {
        var backoff = backoff
        if let named { backoff.base = min(max(named, minimumDelay), 3600) }
        return max(backoff.base, backoff.wait(beforeRetry: failures, clock: clock) ?? 0)
    }
}

extension MoyaProvider {
    /// Returns a sequence of a server's events that reconnects after each lost connection.
    ///
    /// ```swift
    /// for try await event in provider.serverSentEvents(.prices) {
    ///     print(event.type, event.data)
    /// }
    /// ```
    ///
    /// The sequence follows the WHATWG HTML standard. A connection that ends or is lost is opened
    /// again after a pause, with `Last-Event-ID`. Status 204 ends the loop. Another status, or
    /// another media type than `text/event-stream`, ends it with an error. A server that sends no
    /// byte for longer than the target's timeout counts as a lost connection.
    ///
    /// A request whose method is not safe (RFC 9110, section 9.2.1), such as POST, is sent once:
    /// the sequence ends with the response, or throws the error of a lost connection. To have it
    /// sent again, set ``EventSourceOptions/repeatsUnsafeRequests``.
    ///
    /// No request is sent before the loop asks for the first event. Leaving the loop cancels the
    /// request. A subclass's override of `request` is not called.
    public func serverSentEvents(
        _ target: Target, options: EventSourceOptions = EventSourceOptions()
    ) -> EventSource {
        let mayRepeat = options.repeatsUnsafeRequests || endpoint(target).method.isSafe
        return EventSource(options: options, mayRepeat: mayRepeat) {
            headers async throws(MoyaError) in
            try await self.unvalidatedStream(target) {
                $0.adding(newHTTPHeaderFields: headers)
            }
        }
    }
}

extension MoyaProvider {
    /// Returns the decoded data of a server's events, as they arrive. See ``ServerSentValues``.
    ///
    /// ```swift
    /// for try await chunk in provider.serverSentEvents(.chat, of: Chunk.self) {
    ///     print(chunk.text)
    /// }
    /// ```
    ///
    /// The data `[DONE]` ends the loop, and an event with the type `error` throws. A request whose
    /// method is not safe, such as the POST of a chat completion, is sent once; another request is
    /// sent again after a lost connection: see `serverSentEvents(_:options:)`.
    ///
    /// - Parameters:
    ///   - target: The target of the request.
    ///   - type: Type of the values. They are decoded outside of any actor, so the conformance must
    ///     not be isolated: in a module with main actor isolation by default, declare `nonisolated
    ///     struct Chunk: Decodable`.
    ///   - decoder: Decodes the data of each event. `nil` uses the decoder for `application/json`
    ///     of the `Coders` of the target or the provider.
    ///   - options: Options of the connections.
    public func serverSentEvents<Value: Decodable & SendableMetatype>(
        _ target: Target, of type: Value.Type, using decoder: (any BodyDecoder)? = nil,
        options: EventSourceOptions = EventSourceOptions()
    ) -> ServerSentValues<EventSource, Value> {
        let decoder = decoder ?? coders(for: target).decoder(for: "application/json")
        return ServerSentValues(serverSentEvents(target, options: options), decoder: decoder)
    }
}

/// The server-sent events of a server. Each loop has separate connections. Throws `MoyaError` and
/// ``StreamingError``.
public struct EventSource: AsyncSequence, Sendable {
    /// Each element is one event.
    public typealias Element = ServerSentEvent

    /// Sends the target's request with additional header fields.
    fileprivate typealias Connect =
        @Sendable ([String: String]) async throws(MoyaError) -> StreamingResponse

    fileprivate let options: EventSourceOptions
    /// Whether the request may be sent more than once.
    fileprivate let mayRepeat: Bool
    fileprivate let connect: Connect

    /// Returns an iterator, which connects at the first call of `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Iterator of one loop over the events.
    public struct Iterator: AsyncIteratorProtocol {
        private let source: EventSource
        private var parser: ServerSentEventParser
        private var body: ResponseBodyStream.Iterator?
        private var failures = 0
        private var hasConnected = false
        private var isOver = false

        private var options: EventSourceOptions { source.options }

        fileprivate init(_ source: EventSource) {
            self.source = source
            parser = ServerSentEventParser(
                limit: source.options.limit, lastEventID: source.options.lastEventID)
        }

        /// Returns the next event, or `nil` after status 204 or the end of a request that must not
        /// be repeated. Reconnects if necessary. Throws `MoyaError` or ``StreamingError``.
        public mutating func next() async throws -> ServerSentEvent? {
            do {
                while !isOver {
                    if let event = try parser.next() { return event }
                    if body == nil { try await connect() } else { try await read() }
                }
                return nil
            } catch {
                isOver = true
                body = nil
                throw error is StreamingError ? error : MoyaError(wrapping: error)
            }
        }

        private mutating func connect() async throws {
            let response: StreamingResponse
            do throws(MoyaError) {
                response = try await source.connect(headers)
            } catch {
                failures += 1
                guard source.mayRepeat,
                    TransientFailure(error, hasAnswered: hasConnected) != nil,
                    failures <= options.maximumRetries ?? .max
                else { throw error }
                return try await wait()
            }
            (failures, hasConnected) = (0, true)
            guard response.statusCode != 204 else {
                await response.body.skip()
                return isOver = true
            }
            guard response.statusCode == 200 else { throw await response.refusal() }
            let type = response.head.value(for: "Content-Type")
            let essence = type?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard essence?.lowercased() == "text/event-stream" else {
                throw StreamingError.notAnEventStream(type)
            }
            body = response.body.makeAsyncIterator()
        }

        private mutating func read() async throws {
            do {
                if let chunk = try await body?.next() { return parser.append(chunk) }
            } catch let error as URLError
                where source.mayRepeat && TransientFailure(error) != nil
            {
                // A lost connection is treated like a connection that ended: reconnect.
            }
            body = nil
            guard source.mayRepeat else { return isOver = true }
            parser.startOver()
            try await wait()
        }

        private func wait() async throws {
            let pause = options.pause(named: parser.retryDelay, after: failures)
            if let deadline = RequestDeadline.current, pause >= deadline.remaining {
                throw deadline.error(url: nil)
            }
            try await options.clock.sleep(for: pause)
        }

        private var headers: [String: String] {
            var headers = ["Accept": "text/event-stream", "Cache-Control": "no-store"]
            // `nil` if a header field cannot hold the ID.
            headers["Last-Event-ID"] = ReceivedValue.field(parser.lastEventID)
            return headers
        }
    }
}
