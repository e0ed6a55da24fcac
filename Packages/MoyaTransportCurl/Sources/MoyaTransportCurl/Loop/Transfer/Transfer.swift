import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and response on its way through libcurl.
///
/// Made by the one who asks, then handed over to the loop: from then on only the loop's thread
/// touches it.
final class Transfer: @unchecked Sendable {
    // Safe to send: the asking task sets `continuation` before it submits the transfer, and the inbox's
    // lock orders that before the loop's first look. A cancel reaches it as a command as well.
    let request: TransportRequest
    /// The request's. Foundation takes its time to hand it out.
    let url: URL?
    /// For how long nothing may move, in seconds.
    private let idleTimeout: Double
    /// Where it is carried.
    let loop: CurlLoop
    /// When the whole exchange has to be over, on the clock of the loop.
    let deadline: UInt64
    var continuation: UnsafeContinuation<Void, Never>?
    /// What the transfer came to. Behind a lock, which hands it from the loop to the one who asks in a way
    /// that ThreadSanitizer can see; what a continuation does is hidden from it.
    let outcome = Locked<Result<TransportResponse, any Error>?>(nil)
    /// Whether the loop has it. Until then it is its sender's, and a cancel only leaves a mark.
    var isTaken = false
    var isCancelled = false

    /// The handle while the transfer is under way.
    var handle: CurlHandle?
    /// Whether it counts among those that have a connection for themselves, or wait for one.
    var isCounted = false
    /// Where it waits for one, or did.
    var origin: String?
    /// When it was handed to libcurl, on the clock of the loop.
    var started: UInt64 = 0
    /// When the last byte moved, on the clock of the loop.
    var lastActivity: UInt64 = 0
    /// What has become of the request's body on its way. `nil` where that is short, or there is none.
    @exclusivity(unchecked) var sending: SendProgress?
    /// Whether the server has replied since the transfer began. A challenge or an informational response counts, whatever the
    /// connection.
    var hasAnswer = false
    /// Whether the empty line after the header fields has come.
    var isHeadWhole = false
    /// What its connection's TLS handshake has come to. libcurl has forgotten it when the transfer is over.
    var tlsAgreement: TLSAgreement?
    /// How long the response's lines are that are no body: before it, after it, and those of the informational
    /// responses that came first.
    var fieldBytes = 0
    /// How many challenges for credentials have been answered.
    var challengeCount = 0
    /// What the head says of where the body ends.
    @exclusivity(unchecked) var framing = BodyFraming()
    /// What has come of the response's head, where the system counts it.
    @exclusivity(unchecked) var receivedHead: ReceivedHead?
    /// Header lines that came after the body.
    var trailers: [HeaderField] = []
    /// Whether the request leaves it to the transport to decode the body.
    var decodesContent = true
    /// Whether a byte of the body has come.
    var hasBody = false
    /// Decodes the body, where it has a content coding.
    var decoding: BodyDecoding?
    /// Whether the response is a redirect that is going to be followed. `nil` until its body is long enough to matter.
    var isFollowed: Bool?
    /// Whether the rest of a redirect's body is left unread.
    var isCutShort = false
    /// Whether the last byte that came of a body in chunks is a carriage return.
    var endsWithReturn = false
    /// How far a body in chunks has come, where libcurl shows it.
    var chunks = ChunkScan()
    /// The TLS connection whose orderly end is the end of the body.
    var closingTLS: OpaquePointer?
    @exclusivity(unchecked) var source: BodySource?
    @exclusivity(unchecked) var sink = BodySink.none
    /// Takes the body of a response that is read while it arrives.
    var channel: ResponseBodyWriter?
    /// Where it counts as long as it has a channel: its sender has the response before the body is whole.
    var exchanges: ExchangeCount?
    /// Whether it could not connect because there is no descriptor, or none that it may have at the moment.
    var lacksDescriptor = false
    /// Whether idle connections have been closed for want of one, and nobody else here has any.
    var isLastTry = false
    /// Whether it has waited for so long that it takes any descriptor there is.
    var isImpatient = false
    /// Whether it asks for a name.
    var isAskingForName = false
    /// Whether it has been given a socket since it began.
    var hasSocket = false
    /// Since when it waits for a connection. 0 where it has not.
    var waitingSince: UInt64 = 0
    /// Since when it waits for a descriptor. 0 where it has not.
    var postponedSince: UInt64 = 0
    /// Who judges the server's certificates.
    var evaluator: (any ServerTrustEvaluating)?
    /// How often it met a connection that nobody had judged.
    var unjudgedCount = 0
    /// Whether it was about to use a connection that held bytes, and is sent on a new one instead.
    var hasMetUnsolicitedData = false
    /// Whether it is sent for the second time, to a server that was about to go.
    var isRepeated = false
    /// Where libcurl waits for somebody on this side.
    var paused: Pause = []
    /// When to see whether the answer is over although the request's body is not.
    var nextAnswerCheck = UInt64.max
    /// The socket that libcurl has stopped reading from while it waits for the request's body.
    var unheardSocket: Int32?
    /// Bytes sent when libcurl last began to write the request. `nil` before, and where the handle has no callback for that.
    var sentAtBegin: Int?
    /// Whether the server has replied since libcurl last began to write the request.
    var isAnswered = false
    /// Why a callback stopped libcurl.
    @exclusivity(unchecked) var failure: (any Error)? {
        didSet {
            if failure != nil { handle?.leaveQUIC() }
        }
    }
    @exclusivity(unchecked) var progress = TransferProgress()

    init(_ request: TransportRequest, deadline: UInt64, on loop: CurlLoop) {
        self.request = request
        url = request.urlRequest.url
        idleTimeout = request.urlRequest.timeoutInterval
        self.loop = loop
        self.deadline = deadline
    }

    /// Whether the connection it uses has carried a response. Not known where a challenge may have
    /// led to another connection since.
    var hasStandingConnection: Bool { isHeadWhole && request.credential == nil }

    /// Hands over the result, once, and gives back what the transfer held.
    func finish(_ result: Result<TransportResponse, any Error>) {
        settle(result)?.resume()
    }

    /// Does the same, but leaves it to the caller to wake the one who asks. `nil` where nobody waits any more.
    func settle(
        _ result: Result<TransportResponse, any Error>
    ) -> UnsafeContinuation<Void, Never>? {
        stopWatchingTLS()
        handle = nil
        source?.close()
        source = nil
        sink.discard()
        decoding = nil
        defer { closeChannel(result) }
        guard let continuation else { return nil }
        self.continuation = nil
        outcome.withLock { $0 = result }
        return continuation
    }

    /// How many files it keeps open.
    var fileCount: Int {
        var count = 0
        switch request.body {
        case .file: count += 1
        // A form may have files in it, of which one is open.
        case .stream(let stream) where stream.makeReader != nil: count += 1
        default: break
        }
        if case .file = request.destination { count += 1 }
        return count
    }

    /// Forgets an attempt that never had a connection.
    func startOver() {
        stopWatchingTLS()
        handle = nil
        // A stream that can be read once is still whole.
        if source?.isUntouchedStream != true {
            source?.close()
            source = nil
        }
        sink.discard()
        progress = TransferProgress()
        failure = nil
        (hasAnswer, isHeadWhole, isAnswered) = (false, false, false)
        (hasBody, decoding, isFollowed, isCutShort) = (false, nil, nil, false)
        (lacksDescriptor, hasSocket) = (false, false)
        (fieldBytes, trailers, paused, nextAnswerCheck) = (0, [], [], .max)
        (unheardSocket, sentAtBegin, sending, tlsAgreement) = (nil, nil, nil, nil)
        (receivedHead, chunks) = (nil, ChunkScan())
    }

    /// What the transfer came to, once the continuation has been resumed.
    func takeOutcome() throws -> TransportResponse {
        // Taken out: a stream ends its exchange when nobody holds it any more.
        let taken = outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
        guard let taken else { throw URLError(.unknown) }
        return try taken.get()
    }

    // MARK: Time

    enum Overdue {
        case idle(seconds: Double)
        case firstByte(seconds: Double)
        case whole
        /// For a connection.
        case waiting
    }

    /// When its time is up if nothing more happens, and what that means.
    func due(_ driver: CurlDriver) -> (time: UInt64, Overdue) {
        var due = (time: deadline, reason: Overdue.whole)
        // It is not the server that keeps the others waiting, unless it has begun to answer.
        guard paused.isEmpty || nextAnswerCheck != .max else { return due }
        if let allowance = LoopClock.nanoseconds(idleTimeout),
            lastActivity &+ allowance < due.time
        {
            due = (lastActivity &+ allowance, .idle(seconds: idleTimeout))
        }
        if !hasAnswer, let seconds = driver.configuration.firstByteTimeout,
            let allowance = LoopClock.nanoseconds(seconds), started &+ allowance < due.time
        {
            due = (started &+ allowance, .firstByte(seconds: seconds))
        }
        return due
    }
}

extension Transfer {
    /// When it has waited for a connection for long enough.
    func waitingDue(_ driver: CurlDriver) -> UInt64 {
        let wait = driver.configuration.connectionWaitTimeout.flatMap(LoopClock.nanoseconds)
        return min(deadline, wait.map { waitingSince &+ $0 } ?? .max)
    }

    func timeout(_ reason: Overdue) -> URLError {
        switch reason {
        case .idle(let seconds): timeout("Nothing moved for \(seconds) seconds.")
        case .firstByte(let seconds):
            timeout("The server did not begin to answer within \(seconds) seconds.")
        case .whole: timeout("The exchange was not over within the time it may take.")
        case .waiting: timeout("No connection became free in time.")
        }
    }

    /// Takes note of what has moved without a word from libcurl. Returns whether anything has.
    func noteSending(_ now: UInt64) -> Bool {
        guard let easy = handle?.easy, let source,
            let move = sending?.lastMove(of: easy, from: source, now: now)
        else { return false }
        lastActivity = max(lastActivity, move)
        return true
    }

    private func timeout(_ message: String) -> URLError {
        URLError(.timedOut, message, url: url, cause: CurlError(CURLE_OPERATION_TIMEDOUT))
    }
}
