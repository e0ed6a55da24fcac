#if CURL
import CMoyaCurl
import Foundation

/// The source and the progress of a request's body, and what to do if the response comes first.
///
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
/// loop, and the loop checks the socket itself (`checkAnswer`).
///
/// A server that stops reading the body also blocks libcurl, which waits until it can send the
/// rest. When a timeout ends that wait, a response with a status below 400 that is complete by its
/// length is the result (`Attempt.hasWholeAnswer`).
struct Upload {
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

    /// The request's body. `nil` if it has none.
    var source: BodySource?
    /// Bytes of the body that the system has accepted. `nil` if the body is short, or there is
    /// none.
    var sending: SendProgress?
    /// Number of sent bytes when libcurl last began to write the request. `nil` before that.
    var sentAtBegin: Int?
    /// Whether libcurl last began to write a request with a body over HTTP/2.
    var isHTTP2 = false
    /// Filled only for requests that must not be sent twice, and may be sent over HTTP/2.
    var refusal = StreamRefusal()
    /// When to check whether a response has ended before the request's body was sent. `nil` for
    /// never.
    var nextAnswerCheck: UInt64?
    /// The socket that libcurl has stopped reading from while it waits for the request's body.
    var unheardSocket: SocketIdentity?

    /// The next step of a check that is due.
    mutating func checkAnswer(hasFinalHead: Bool, now: UInt64) -> AnswerCheck {
        if hasFinalHead {
            nextAnswerCheck = now + Self.answerCheckInterval
            return .resume
        }
        // If libcurl has closed the socket too, it sends the request again on another connection.
        guard let unheardSocket, unheardSocket.isOpen else { return .nothing }
        if SocketPeek(unheardSocket.descriptor) == .closed { return .connectionClosed }
        // libcurl stopped reading from an open HTTP/2 connection because the stream was reset, and
        // dropped the response before the reset.
        return CurlLibrary.losesResetAnswers && isHTTP2 ? .answerLost : .nothing
    }

    /// When bytes of the body last moved without a callback of libcurl, or `nil` if none have.
    mutating func lastMove(of easy: EasyHandle, now: UInt64) -> UInt64? {
        source.flatMap { sending?.lastMove(of: easy, from: $0, now: now) }
    }
}
#endif
