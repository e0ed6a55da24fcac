#if CURL
import CMoyaCurl
import Foundation

// Responses that arrive before the request's body has been sent.
//
// A server may reject an upload before it has read the body. libcurl ends a transfer only when both
// bodies have ended:
//
// 1. The request's body stream has no bytes for now. libcurl pauses sending, and does not check for
//    the end of the response: it would notice the rejection when the stream has bytes again, or
//    never.
// 2. Once the response has a head, the loop resumes sending every 250 ms (`answerCheckInterval`).
// 3. libcurl asks the stream for bytes, gets none, and pauses again. In between it reads the
//    response and finds its end.
//
// A paused libcurl may also stop reading from the socket. It then does not notice that the server
// closes the connection before its response has a head. The socket callback reports this to the
// loop, and the loop checks the socket itself (`serverHasLeft`).
//
// A server that stops reading the body also blocks libcurl, which waits until it can send the rest.
// When a timeout ends that wait, a response with a status below 400 that is complete by its
// length is the result (`hasWholeAnswer`).
extension Attempt {
    /// Time between two checks for the end of an early response, in nanoseconds.
    static let answerCheckInterval: UInt64 = 250_000_000

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

    /// Schedules a check for the end of the response, if libcurl waits for the request's body and
    /// the final head has arrived.
    ///
    /// - Parameter wait: Time until the check, in nanoseconds.
    func checkForEarlyAnswer(after wait: UInt64 = 0) {
        guard paused.contains(.sending), hasFinalHead else { return }
        scheduleAnswerCheck(at: driver.now + wait)
    }

    /// libcurl has stopped watching `socket`. While it waits for the request's body, that means
    /// that it has stopped reading from the server.
    func noteUnheard(_ socket: Int32) {
        guard paused == .sending else { return }
        upload.unheardSocket = SocketIdentity(socket)
        scheduleAnswerCheck(at: 0)
    }

    private func scheduleAnswerCheck(at time: UInt64) {
        upload.nextAnswerCheck = time
        driver.setTimer(of: transfer, noLaterThan: time)
    }

    /// Returns the loop's next step when ``AttemptUpload/nextAnswerCheck`` is due.
    func checkAnswer(now: UInt64) -> AnswerCheck {
        upload.nextAnswerCheck = nil
        guard paused == .sending else { return .nothing }
        if hasFinalHead {
            upload.nextAnswerCheck = now + Self.answerCheckInterval
            return .resume
        }
        if serverHasLeft { return .connectionClosed }
        return hasDroppedAnswer ? .answerLost : .nothing
    }

    /// Whether libcurl stopped reading from an open HTTP/2 connection because the stream was reset,
    /// and dropped the response before the reset.
    private var hasDroppedAnswer: Bool {
        CurlLibrary.losesResetAnswers && upload.isHTTP2 && upload.unheardSocket?.isOpen == true
    }

    private var hasFinalHead: Bool { head.isWhole && easy.long(CURLINFO_RESPONSE_CODE) >= 200 }

    /// Whether the response is complete by its length while libcurl still sends the request's body.
    /// `false` while the body's stream is awaited, which has its own timeout.
    var hasWholeAnswer: Bool {
        // While `nextAnswerCheck` is set, libcurl is being resumed for a stream that has no bytes.
        guard upload.source != nil, failure == nil, paused.isEmpty, upload.nextAnswerCheck == nil,
            hasFinalHead
        else { return false }
        guard mayHaveBody else { return true }
        return easy.hasWholeLength == true
    }

    /// The request's body has bytes again, or begins again on another connection.
    ///
    /// In the second case the loop has not resumed libcurl, and no timer may be set: the idle
    /// timeout does not apply while the transfer is paused.
    func endWaitingToSend() {
        upload.nextAnswerCheck = nil
        upload.unheardSocket = nil
        guard paused.contains(.sending) else { return }
        paused.remove(.sending)
        times.lastActivity = driver.now
        driver.setTimer(of: transfer, noLaterThan: nextCheck)
    }

    /// Whether the server has closed the connection that libcurl has stopped reading from. `false`
    /// if libcurl has closed it too: it sends the request again on another connection.
    private var serverHasLeft: Bool {
        guard let socket = upload.unheardSocket, socket.isOpen else { return false }
        var byte: UInt8 = 0
        let count = recv(socket.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
}
#endif
