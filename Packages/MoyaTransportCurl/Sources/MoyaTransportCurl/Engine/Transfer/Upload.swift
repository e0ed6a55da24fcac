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
/// loop, and the loop checks the socket itself (``AnswerCheck/look(_:)``).
///
/// A server that stops reading the body also blocks libcurl, which waits until it can send the
/// rest. When a timeout ends that wait, a response that is complete by its length is the result
/// (`Attempt.hasWholeAnswer`).
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
    enum AnswerCheck: Equatable {
        case nothing
        /// Resume libcurl, which checks for the end of the response.
        case resume
        /// Look at a socket that libcurl has stopped reading from: call ``fault(of:)``.
        case look(SocketIdentity)
    }

    /// Why no response will come.
    enum Fault {
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
    /// Number of sent bytes when libcurl last began to write the request. `nil` before that.
    private(set) var sentAtBegin: Int?
    /// Whether libcurl last began to write a request with a body over HTTP/2.
    private(set) var isHTTP2 = false
    /// Whether libcurl has asked for the trailer fields.
    var hasSentTrailers = false
    /// Whether an HTTP/2 server has refused the request without processing it, from libcurl's
    /// messages.
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
    mutating func noteStoppedReading(from socket: SocketIdentity?) {
        guard case .starved = state else { return }
        state = .starved(Wait(nextCheck: 0, unheard: socket))
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
        return isReceiving ? wait.unheard.map(AnswerCheck.look) ?? .nothing : .nothing
    }

    /// Why no response will come on a socket that libcurl has stopped reading from. `nil` if one
    /// may come.
    ///
    /// - Parameter next: What a read from the socket would find. `nil` if libcurl has closed it
    ///   too, and sends the request again on another connection.
    func fault(of next: SocketPeek?) -> Fault? {
        guard let next else { return nil }
        if next == .closed { return .connectionClosed }
        // libcurl stopped reading from an open HTTP/2 connection because the stream was reset, and
        // dropped the response before the reset.
        return ResetAnswers.areLost && isHTTP2 ? .answerLost : nil
    }

    // MARK: Bytes

    /// Reads the next bytes of the body for libcurl. Returns 0 at the end, and `nil` if there are
    /// none for now: libcurl is then paused.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        guard let count = try source?.read(into: buffer) else {
            starve()
            return nil
        }
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
#endif
