#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// One try of libcurl's to carry a transfer: its easy handle, its times, and how far request and response have come.
///
/// Lives on the loop's thread. A transfer that starts over gets another one, so nothing has to be reset.
final class Attempt: HandleClient {
    let transfer: Transfer
    let handle: CurlHandle
    /// Outlives the attempt.
    unowned(unsafe) let host: any TransferHost
    /// Evaluates the server's certificates.
    var evaluator: (any ServerTrustEvaluating)?
    var times: AttemptTimes
    var connecting = ConnectingState()
    @exclusivity(unchecked) var upload = AttemptUpload()
    @exclusivity(unchecked) var head = HeadState()
    @exclusivity(unchecked) var body = BodyState()
    /// Directions in which libcurl waits for this side.
    var paused: Pause = []
    @exclusivity(unchecked) var progress = TransferProgress()
    /// Why a callback stopped libcurl.
    @exclusivity(unchecked) var failure: (any Error)? {
        didSet {
            if failure != nil { handle.leaveQUIC() }
        }
    }

    init(_ transfer: Transfer, _ handle: CurlHandle, on host: any TransferHost) {
        self.transfer = transfer
        self.handle = handle
        self.host = host
        times = AttemptTimes(started: host.now)
    }

    var request: TransportRequest { transfer.request }
    var url: URL? { transfer.url }
    var easy: EasyHandle { handle.easy }

    /// Whether the connection in use has carried a response. Not known where a challenge may have led to another connection
    /// since.
    var hasStandingConnection: Bool { head.isWhole && request.credential == nil }

    /// Gives back what the attempt has open. What has been written is discarded, unless the response has it.
    func close() {
        stopWatchingTLS()
        if let source = upload.source {
            upload.source = nil
            source.close()
        }
        body.sink.discard()
        body.decoding = nil
    }

    /// Gives back what the attempt has open, for a transfer that starts over: a stream that can be read once is kept where it
    /// is still whole.
    func closeForRestart() {
        if let source = upload.source, source.isUntouchedStream {
            transfer.unreadSource = source
            upload.source = nil
        }
        close()
    }
}

/// The loop of an attempt, as libcurl's callbacks see it.
protocol TransferHost: AnyObject {
    /// The time at the last look, in nanoseconds of ``LoopClock``. Looking costs more than most of what it is for.
    var now: UInt64 { get }
    /// Has ``Attempt/AttemptUpload/nextAnswerCheck`` looked at in time.
    func checkTimes(of transfer: Transfer, at time: UInt64)
    /// The head of a response has come.
    func noteVersion(of attempt: Attempt)
    /// Whether the attempt may look up a name, which takes descriptors.
    func mayLookUpName(for attempt: Attempt) -> Bool
    /// Whether the attempt may keep a socket that it has been given.
    func mayKeep(_ socket: Int32, for attempt: Attempt) -> Bool
}

/// When an attempt began, and when a byte moved last. Nanoseconds of ``LoopClock``.
struct AttemptTimes {
    /// When libcurl got it.
    let submitted: UInt64
    /// When it began, as far as that is known: it may have waited for a connection inside libcurl.
    private(set) var started: UInt64
    var lastActivity: UInt64

    init(started: UInt64) {
        (submitted, self.started, lastActivity) = (started, started, started)
    }

    /// It has not had a connection until now.
    mutating func restart(at now: UInt64) { (started, lastActivity) = (now, now) }
}

/// How far a request has come on its way to the server.
struct AttemptUpload {
    /// The request's body. `nil` where there is none.
    var source: BodySource?
    /// Bytes of the body that the system has been given. `nil` where the body is short, or there is none.
    var sending: SendProgress?
    /// Bytes sent when libcurl last began to write the request. `nil` before, and where the handle has no callback for that.
    var sentAtBegin: Int?
    /// When to check for the end of a response that comes before the request's body is whole. `nil` is never.
    var nextAnswerCheck: UInt64?
    /// The socket that libcurl has stopped reading from while it waits for the request's body.
    var unheardSocket: Int32?
}

/// A direction in which libcurl waits for this side, as a bit of `curl_easy_pause`.
struct Pause: OptionSet {
    let rawValue: Int32
    static let receiving = Pause(rawValue: 1 << 0)
    static let sending = Pause(rawValue: 1 << 2)
}
#endif
