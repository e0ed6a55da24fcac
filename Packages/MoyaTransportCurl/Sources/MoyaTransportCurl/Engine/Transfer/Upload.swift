#if CURL
import CMoyaCurl
import MoyaCore

/// A request's body on its way to the server: its source, libcurl's pauses, a response that comes
/// first, and the repetitions of the request by libcurl.
///
/// ```
///           no bytes           resumed for an answer
/// flowing ───────────▶ starved ─────────────────────▶ probing
///    ▲                    │  ▲─────── no bytes ──────────│
///    └── bytes, resumed, another connection ─────────────┘
/// ```
/// A server may reject an upload before it has read the body. libcurl ends a transfer only when
/// both bodies have ended:
///
/// 1. The request's body stream has no bytes for now. libcurl pauses sending, and does not check
/// for the end of the response: it would notice the rejection when the stream has bytes again, or
/// never.
/// 2. Once the response has a head, the loop resumes sending every 250 ms (`answerCheckInterval`).
/// 3. libcurl asks the stream for bytes, gets none, and pauses again. In between it reads the
///    response and finds its end.
///
/// A paused libcurl may also stop reading from the socket. It then does not notice that the server
/// closes the connection before its response has a head. The socket callback reports this to the
/// loop, and the loop checks the socket itself (``checkAnswer(hasFinalHead:isReceiving:now:)``).
///
/// A server that stops reading the body also blocks libcurl, which waits until it can send the
/// rest. When a timeout ends that wait, a response with a status below 400 that is complete by its
/// length is the result (`Attempt.hasWholeAnswer`).
struct Upload {
    private enum State {
        /// libcurl asks for bytes when it can send them, or has all of them.
        case flowing
        /// libcurl is paused: the body's stream has no bytes for now.
        case starved(Wait)
        /// libcurl goes on to find the end of the response, although there are no bytes.
        case probing(Wait)
    }

    private struct Wait {
        /// When to check whether the response has ended. `nil` for never.
        var nextCheck: UInt64?
        /// The socket that libcurl has stopped reading from.
        var unheard: SocketIdentity?
    }

    /// The loop's next step while libcurl waits for the request's body.
    enum AnswerCheck {
        case nothing
        /// Resume libcurl, which checks for the end of the response.
        case resume
        /// The server has closed the connection before its response had a head.
        case connectionClosed
        /// libcurl has dropped the response, and does not end the transfer.
        case answerLost
    }

    /// Time between two checks for the end of an early response, in nanoseconds.
    static let answerCheckInterval: UInt64 = 250_000_000

    private var state = State.flowing
    /// The request's body. `nil` if it has none.
    var source: BodySource?
    /// Bytes of the body that the system has accepted. `nil` if the body is short, or there is
    /// none.
    var sending: SendProgress?
    /// Number of sent bytes when libcurl last began to write the request. `nil` before that.
    private(set) var sentAtBegin: Int?
    /// Whether libcurl last began to write a request with a body over HTTP/2.
    private(set) var isHTTP2 = false
    /// Whether libcurl has asked for the trailer fields.
    var hasSentTrailers = false
    /// Filled only for requests that must not be sent twice, and may be sent over HTTP/2.
    var refusal = StreamRefusal()

    // MARK: Pauses

    var isPaused: Bool { if case .starved = state { true } else { false } }
    /// Whether libcurl neither waits for bytes, nor has been resumed without any.
    var isFlowing: Bool { if case .flowing = state { true } else { false } }

    /// When to check whether a response has ended before the request's body was sent. `nil` for
    /// never.
    var nextCheck: UInt64? {
        switch state {
        case .flowing: nil
        case .starved(let wait), .probing(let wait): wait.nextCheck
        }
    }

    /// The body's stream has no bytes for now, or libcurl begins the request again and has to be
    /// resumed for its body.
    mutating func starve() {
        switch state {
        case .flowing: state = .starved(Wait())
        case .starved: break
        case .probing(let wait): state = .starved(wait)
        }
    }

    /// The loop lets libcurl go on.
    mutating func resume() {
        guard case .starved(let wait) = state else { return }
        state = wait.nextCheck == nil ? .flowing : .probing(wait)
    }

    /// The body has bytes again, or begins again on another connection. Returns whether libcurl was
    /// paused.
    mutating func flow() -> Bool {
        defer { state = .flowing }
        return isPaused
    }

    // MARK: A response that comes first

    /// Asks for a check at `time`. `false` if libcurl is not paused.
    mutating func checkAnswer(at time: UInt64) -> Bool {
        guard case .starved(var wait) = state else { return false }
        wait.nextCheck = time
        state = .starved(wait)
        return true
    }

    /// libcurl has stopped reading from `socket`, while it is paused.
    mutating func noteUnheard(_ socket: Int32) {
        guard case .starved = state else { return }
        state = .starved(Wait(nextCheck: 0, unheard: SocketIdentity(socket)))
    }

    /// The next step of a check that is due.
    ///
    /// - Parameter isReceiving: Whether libcurl is paused for this body alone.
    mutating func checkAnswer(hasFinalHead: Bool, isReceiving: Bool, now: UInt64) -> AnswerCheck {
        guard case .starved(var wait) = state else {
            state = .flowing
            return .nothing
        }
        let resumes = hasFinalHead && isReceiving
        wait.nextCheck = resumes ? now + Self.answerCheckInterval : nil
        state = .starved(wait)
        if resumes { return .resume }
        // If libcurl has closed the socket too, it sends the request again on another connection.
        guard isReceiving, let unheard = wait.unheard, unheard.isOpen else { return .nothing }
        if SocketPeek(unheard.descriptor) == .closed { return .connectionClosed }
        // libcurl stopped reading from an open HTTP/2 connection because the stream was reset, and
        // dropped the response before the reset.
        return ResetAnswers.areLost && isHTTP2 ? .answerLost : .nothing
    }

    /// The error for ``AnswerCheck/connectionClosed``.
    static func closed(_ url: URL?) -> URLError {
        let text = "The server closed the connection before it had the request's body."
        return URLError(.networkConnectionLost, text, url: url)
    }

    // MARK: Bytes

    /// Reads the next bytes of the body for libcurl. Returns 0 at the end, and `nil` if there are
    /// none for now: libcurl is then paused.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        guard let count = try source?.read(into: buffer) else {
            starve()
            return nil
        }
        if count > 0 { sending?.hand(count) }
        return count
    }

    /// libcurl goes on at `offset` of the body, after a challenge or a failed connection. `false`
    /// if that is impossible.
    mutating func seek(to offset: Int64, of transfer: Transfer) -> Bool {
        guard case .stream(let stream) = transfer.request.body, offset == 0, source?.offset != 0
        else { return source?.seek(to: offset) ?? false }
        // If the stream cannot be created again, the first read reports the error.
        source?.close()
        source = transfer.makeSource(stream)
        return true
    }

    /// When bytes of the body last moved without a callback of libcurl, or `nil` if none have.
    mutating func lastMove(of easy: EasyHandle, now: UInt64) -> UInt64? {
        source.flatMap { sending?.lastMove(of: easy, from: $0, now: now) }
    }

    // MARK: Repetitions

    /// The reason why libcurl must not write the request again, as it is about to. `nil` if it has
    /// not written the request before, or may write it again: the request is idempotent (RFC 9110,
    /// section 9.2.2), or the server has refused it without processing it for the first time, and
    /// the body is no stream.
    ///
    /// libcurl repeats any request whose kept connection was lost, also a `POST`.
    ///
    /// - Parameters:
    ///   - sent: Number of bytes that libcurl has sent of requests.
    ///   - hasAnswer: Whether the server has responded since libcurl last began to write.
    func repetitionFault(
        of transfer: Transfer, isIdempotent: @autoclosure () -> Bool, sent: Int, hasAnswer: Bool
    ) -> String? {
        guard let sentAtBegin, sent > sentAtBegin, !hasAnswer, !isIdempotent() else { return nil }
        guard refusal.isCertain else {
            return "The connection was lost before the response. The request was not repeated, "
                + "because the server may have processed it."
        }
        if transfer.hasStream { return transfer.refusalText }
        return exchange(&transfer.repeats.lostServer, with: true) ? transfer.refusalText : nil
    }

    /// libcurl begins to write the request, after `sent` bytes of requests. Returns whether the
    /// loop has to resume it for the body.
    ///
    /// libcurl drops a pause when it leaves a connection, because it clears `keepon`. 8.18.0 does
    /// not: it would neither read a new stream, nor be resumed when that has bytes.
    mutating func begin(sent: Int, isHTTP2: Bool, isStream: Bool) -> Bool {
        let isRepeated = sentAtBegin != nil
        (sentAtBegin, self.isHTTP2) = (sent, isHTTP2)
        guard isRepeated, isStream else { return false }
        starve()
        return true
    }
}

/// Progress of sending a request body.
///
/// libcurl asks for the next piece once the system has accepted all of the last one, and over TLS
/// it reports nothing in between. The system buffers megabytes. On a slow line either may take
/// longer than the idle timeout. So before a transfer fails with that timeout, the bytes that the
/// server has acknowledged since are counted.
struct SendProgress {
    private(set) var socket: Int32?
    private var lastPiece = 0
    /// The acknowledged bytes of the connection at the last reading.
    private var arrived: UInt64 = 0
    /// An upper bound of the connection's acknowledged bytes when all pieces have arrived. Bytes
    /// beyond it belong to other requests on the connection.
    private var end: UInt64 = 0
    /// The bytes that libcurl had written at the last reading.
    private var written: Int64 = 0

    /// libcurl uses `socket` from now on.
    mutating func use(_ socket: Int32) {
        guard socket != self.socket else { return }
        self.socket = socket
        look()
    }

    /// libcurl does not use `socket` any more.
    mutating func leave(_ socket: Int32) { if socket == self.socket { self.socket = nil } }

    /// libcurl takes a piece of `count` bytes.
    mutating func hand(_ count: Int) {
        lastPiece = count
        look()
    }

    private mutating func look() {
        guard let socket, let counts = ConnectionCounts(of: socket) else { return }
        arrived = counts.arrived
        // TLS and HTTP/2 framing add a little to each piece.
        end = counts.accepted + UInt64(lastPiece) * 2 + 4096
    }

    /// When bytes last moved, or `nil` if none have since the last reading.
    mutating func lastMove(of easy: EasyHandle, from source: BodySource, now: UInt64) -> UInt64? {
        if let socket, let counts = ConnectionCounts(of: socket) {
            let isOurs = arrived < end && counts.arrived > arrived
            arrived = counts.arrived
            return isOurs ? now - min(now, counts.nanosecondsSinceSending) : nil
        }
        let before = written
        written = easy.offset(CURLINFO_SIZE_UPLOAD_T)
        // The time of the last byte is unknown. If all are written, it may be long ago.
        let hasMore = written < source.offset || source.offset != source.count
        return written > before && hasMore ? now : nil
    }
}
#endif
