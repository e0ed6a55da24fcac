import CMoyaCurl
import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Answers that come before the request's body is whole.
//
// A server may refuse an upload before it has read the body. To libcurl a transfer is over when both bodies have ended:
//
// 1. The stream of the request's body is empty for now. libcurl pauses sending, and does not check for the end of the
//    response: it would notice the refusal when the stream has bytes again, or never.
// 2. Once the response has a head, the transfer resumes sending every 250 ms (`answerCheckInterval`).
// 3. libcurl asks the stream for bytes, gets none, and pauses again. On the way it reads the response and sees its end.
//
// While libcurl is paused it may also stop reading from the socket, and then does not notice that the server closes the
// connection before its response has a head. The socket callback tells the loop, and the loop looks at the socket itself
// (`serverHasLeft`).
//
// A server that takes no more of the body also blocks libcurl, which waits until it may send the rest. A response with a
// status below 400 that is complete by its length is then the result when the timeout ends the wait (`hasWholeAnswer`).

extension CurlDriver {
    /// Makes libcurl check for the end of the response while it waits for the request's body.
    func checkAnswer(of transfer: Transfer) {
        transfer.nextAnswerCheck = .max
        guard transfer.paused == .sending, let handle = transfer.handle else { return }
        if transfer.hasFinalHead(handle) {
            transfer.nextAnswerCheck = now + Transfer.answerCheckInterval
            resume(transfer, .sending)
        } else if transfer.serverHasLeft {
            let text = "The server closed the connection before it had the request's body."
            end(transfer, with: URLError(.networkConnectionLost, text, url: transfer.url))
        }
    }

    /// libcurl has removed `socket` from the poller. While it waits for the request's body, that means that it has stopped
    /// reading from the server.
    func noteUnheard(_ socket: Int32, of transfer: Transfer) {
        guard transfer.paused == .sending else { return }
        transfer.unheardSocket = socket
        transfer.nextAnswerCheck = 0
        nextCheck = 0
    }
}

extension Transfer {
    /// Time between two checks for the end of an early answer, in nanoseconds.
    static let answerCheckInterval: UInt64 = 250_000_000

    /// Looks for the end of the answer, at once or after a while, where libcurl waits for the request's body.
    func checkForEarlyAnswer(_ handle: CurlHandle, after wait: UInt64 = 0) {
        guard paused.contains(.sending), hasFinalHead(handle) else { return }
        nextAnswerCheck = handle.driver.now + wait
        handle.driver.nextCheck = min(handle.driver.nextCheck, nextAnswerCheck)
    }

    fileprivate func hasFinalHead(_ handle: CurlHandle) -> Bool {
        isHeadWhole && handle.easy.long(CURLINFO_RESPONSE_CODE) >= 200
    }

    /// Whether all of the answer has come while the server is awaited to take the request's body, as far as the answer's
    /// length says so. Where the body itself is awaited, the time is up for that.
    func hasWholeAnswer(_ handle: CurlHandle) -> Bool {
        // The body is awaited as well while libcurl is made to ask for it again.
        guard source != nil, failure == nil, paused.isEmpty, nextAnswerCheck == .max,
            hasFinalHead(handle)
        else { return false }
        guard mayHaveBody(handle) else { return true }
        return handle.easy.hasWholeLength == true
    }

    /// There are bytes to send again.
    func endWaitingToSend() {
        paused.remove(.sending)
        nextAnswerCheck = .max
        unheardSocket = nil
    }

    /// Whether the server has closed the connection that libcurl has stopped reading from.
    fileprivate var serverHasLeft: Bool {
        guard let unheardSocket else { return false }
        var byte: UInt8 = 0
        let count = recv(unheardSocket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
}
