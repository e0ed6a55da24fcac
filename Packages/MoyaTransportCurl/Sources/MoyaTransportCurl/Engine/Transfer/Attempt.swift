#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// A try to send a transfer with libcurl: the easy handle, the times, and the progress of request
/// and response.
///
/// Used on the loop's thread only. A transfer that starts again gets another attempt, so no state
/// has to be reset.
final class Attempt {
    let transfer: Transfer
    let handle: CurlHandle
    /// Outlives the attempt.
    unowned(unsafe) let driver: CurlDriver
    /// The evaluator of the server's certificates, if there is one.
    @exclusivity(unchecked) var evaluator: (any ServerTrustEvaluating)? {
        didSet { needsEvaluation = evaluator != nil }
    }
    /// Whether there is an evaluator. Stored, because a comparison would copy the evaluator in
    /// callbacks of every request.
    private(set) var needsEvaluation = false
    @exclusivity(unchecked) var times: AttemptTimes
    @exclusivity(unchecked) var connecting = ConnectingState()
    @exclusivity(unchecked) var upload = AttemptUpload()
    @exclusivity(unchecked) var head = HeadState()
    @exclusivity(unchecked) var body = BodyState()
    /// The directions in which libcurl is paused.
    var paused: Pause = []
    @exclusivity(unchecked) var progress = TransferProgress()
    /// The reason why a callback made libcurl abort.
    @exclusivity(unchecked) var failure: (any Error)? {
        didSet {
            if failure != nil { handle.leaveQUIC() }
        }
    }

    /// - Parameter time: The current time, in nanoseconds of ``LoopClock``.
    init(
        _ transfer: Transfer, _ handle: CurlHandle, on driver: CurlDriver, at time: UInt64
    ) {
        self.transfer = transfer
        self.handle = handle
        self.driver = driver
        times = AttemptTimes(started: time)
    }

    var request: TransportRequest { transfer.request }
    var url: URL? { transfer.url }
    var easy: EasyHandle { handle.easy }

    /// Whether the connection in use has carried a response. `false` with Negotiate: a challenge
    /// may have led to another connection.
    var hasStandingConnection: Bool { head.isWhole && handle.profile?.negotiates != true }

    /// Closes the attempt's files and streams. Discards the response body, unless the response has
    /// taken it.
    func close() {
        stopWatchingTLS()
        upload.source.take()?.close()
        body.sink.discard()
        body.decoding = nil
    }

    /// Like ``close()``, for a transfer that starts again. Keeps a request stream that can be read
    /// only once, if nothing has been read from it.
    func closeForRestart() {
        if let source = upload.source, source.isUntouchedStream {
            transfer.unreadSource = source
            upload.source = nil
        }
        close()
    }

    // MARK: libcurl's callbacks before it sends the request, on the loop's thread

    func mayLookUpName() -> Bool { driver.mayLookUpName(for: self) }

    func mayKeep(_ socket: curl_socket_t) -> Bool {
        if driver.mayKeep(socket, for: self) { return true }
        connecting.lacksDescriptor = true
        return false
    }

    func noteLackOfDescriptors() { connecting.lacksDescriptor = true }

    func mayBegin(on endpoints: ConnectionEndpoints?) -> Bool {
        noteConnecting(driver.now)
        connecting.step = .hasConnection
        let sent = easy.long(CURLINFO_REQUEST_SIZE)
        if let fault = repetitionFault(sent: sent) {
            failure = URLError(.networkConnectionLost, fault, url: url)
            return false
        }
        if endpoints.map(handle.holdsUnsolicitedData) == true || handle.isClosed(endpoints) {
            handle.leaveConnection()
            // The repetition opens a connection, which only data can make unusable.
            failure =
                exchange(&transfer.repeats.metUnusableConnection, with: true)
                ? URLError(
                    .badServerResponse,
                    "The server sent data on the connection before the request.", url: url)
                : UnusableConnection()
            return false
        }
        endWaitingToSend()
        if upload.sentAtBegin != nil { resumeStream() }
        upload.sentAtBegin = sent
        if upload.source != nil { upload.isHTTP2 = handle.speaksHTTP2 == true }
        head.noteBegin(endpoints.flatMap(handle.countHead(on:)))
        return true
    }

    /// Has the loop resume libcurl soon, for a request whose body is a stream. libcurl writes the
    /// request again, and ``paused`` is empty.
    ///
    /// libcurl drops a pause when it leaves a connection, because it clears `keepon`. 8.18.0 does
    /// not: it would neither read the new body, nor be resumed when that has bytes.
    private func resumeStream() {
        guard case .stream = request.body else { return }
        paused.insert(.sending)
        transfer.loop.proceed(transfer, with: .sending)
    }
}

/// The times of an attempt, in nanoseconds of ``LoopClock``.
struct AttemptTimes {
    /// When it was first added to libcurl.
    let submitted: UInt64
    /// When it was last added to libcurl (``LostWakes``).
    private(set) var queued: UInt64
    /// When it began to connect or send. It may have waited for a connection inside libcurl before.
    private(set) var started: UInt64
    /// When a byte was last sent or received.
    var lastActivity: UInt64

    init(started: UInt64) {
        (submitted, queued, self.started, lastActivity) = (started, started, started, started)
    }

    /// It was added to libcurl again. `now` may be an earlier reading of the clock than the others.
    mutating func queueAgain(at now: UInt64) { queued = max(queued, now) }

    /// It had no connection until `now`.
    mutating func restart(at now: UInt64) { (started, lastActivity) = (now, now) }
}

/// Directions in which libcurl is paused, as bits of `curl_easy_pause`.
struct Pause: OptionSet {
    let rawValue: Int32
    static let receiving = Pause(rawValue: 1 << 0)
    static let sending = Pause(rawValue: 1 << 2)
}
#endif
