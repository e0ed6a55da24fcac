#if CURL
import CMoyaCurl
import Foundation

// Responses that come before the request's body is whole.
//
// A server may refuse an upload before it has read the body. To libcurl a transfer is over when both bodies have ended:
//
// 1. The stream of the request's body is empty for now. libcurl pauses sending, and does not check for the end of the
//    response: it would notice the refusal when the stream has bytes again, or never.
// 2. Once the response has a head, the loop resumes sending every 250 ms (`answerCheckInterval`).
// 3. libcurl asks the stream for bytes, gets none, and pauses again. On the way it reads the response and sees its end.
//
// While libcurl is paused it may also stop reading from the socket, and then does not notice that the server closes the
// connection before its response has a head. The socket callback tells the loop, and the loop looks at the socket itself
// (`serverHasLeft`).
//
// A server that takes no more of the body also blocks libcurl, which waits until it may send the rest. A response with a
// status below 400 that is complete by its length is then the result when the timeout ends the wait (`hasWholeAnswer`).
extension Attempt {
    /// Time between two checks for the end of an early response, in nanoseconds.
    static let answerCheckInterval: UInt64 = 250_000_000

    /// What the loop has to do where libcurl waits for the request's body.
    enum AnswerCheck {
        case nothing
        /// Have libcurl go on, which looks for the end of the response.
        case resume
        /// The server has closed the connection before its response had a head.
        case connectionClosed
    }

    /// Has the loop check for the end of the response, at once or after a while, where libcurl waits for the request's body.
    func checkForEarlyAnswer(after wait: UInt64 = 0) {
        guard paused.contains(.sending), hasFinalHead else { return }
        scheduleAnswerCheck(at: host.now + wait)
    }

    /// libcurl has removed `socket` from the poller. While it waits for the request's body, that means that it has stopped
    /// reading from the server.
    func noteUnheard(_ socket: Int32) {
        guard paused == .sending else { return }
        upload.unheardSocket = socket
        scheduleAnswerCheck(at: 0)
    }

    private func scheduleAnswerCheck(at time: UInt64) {
        upload.nextAnswerCheck = time
        host.checkTimes(of: transfer, at: time)
    }

    /// The time of ``AttemptUpload/nextAnswerCheck`` has come.
    func checkAnswer(now: UInt64) -> AnswerCheck {
        upload.nextAnswerCheck = nil
        guard paused == .sending else { return .nothing }
        if hasFinalHead {
            upload.nextAnswerCheck = now + Self.answerCheckInterval
            return .resume
        }
        return serverHasLeft ? .connectionClosed : .nothing
    }

    private var hasFinalHead: Bool { head.isWhole && easy.long(CURLINFO_RESPONSE_CODE) >= 200 }

    /// Whether all of the response has come while the server is awaited to take the request's body, as far as the response's
    /// length says so. Where the body itself is awaited, the time is up for that.
    var hasWholeAnswer: Bool {
        // The body is awaited as well while libcurl is made to ask for it again.
        guard upload.source != nil, failure == nil, paused.isEmpty, upload.nextAnswerCheck == nil,
            hasFinalHead
        else { return false }
        guard mayHaveBody else { return true }
        return easy.hasWholeLength == true
    }

    /// There are bytes to send again.
    func endWaitingToSend() {
        paused.remove(.sending)
        upload.nextAnswerCheck = nil
        upload.unheardSocket = nil
    }

    /// Whether the server has closed the connection that libcurl has stopped reading from.
    private var serverHasLeft: Bool {
        guard let socket = upload.unheardSocket else { return false }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
}
#endif
