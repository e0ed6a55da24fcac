import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Answers that come before the request's body is whole.
//
// To libcurl an exchange is over when both its bodies are. Where the request's body comes from a stream that has
// nothing at the moment, libcurl has been told to wait, and does not look whether the response has ended meanwhile:
// a server that refuses an upload right away would be heard when the stream goes on, or never. So libcurl is made
// to ask for bytes again once such a response has a head, and then every `answerCheckInterval`: there are none, it
// waits again, and in between it sees that the response is whole.
//
// Where the server takes no more of the body, libcurl waits until it may send the rest. An answer with a status below 400
// that is whole by its length is the result when the time is up, in place of the timeout.
//
// It may also stop to listen to the server while it waits, and then hears of no end. The loop is told when libcurl
// takes a socket back, and looks at that itself.

extension CurlDriver {
    /// Has libcurl look whether a transfer is over whose body is awaited: it takes none for over by itself
    /// until the body has come.
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

    /// libcurl takes a socket back. While it waits for the request's body, that is because it does not listen to the
    /// server any more.
    func noteUnheard(_ socket: Int32, of transfer: Transfer) {
        guard transfer.paused == .sending else { return }
        transfer.unheardSocket = socket
        transfer.nextAnswerCheck = 0
        nextCheck = 0
    }
}

extension Transfer {
    /// How often libcurl is made to look for the end of an early answer. Nanoseconds.
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
        let length = handle.easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length >= 0 && handle.easy.offset(CURLINFO_SIZE_DOWNLOAD_T) >= length
    }

    /// There are bytes to send again.
    func endWaitingToSend() {
        paused.remove(.sending)
        nextAnswerCheck = .max
        unheardSocket = nil
    }

    /// Whether the server has closed the connection that nobody listens to.
    fileprivate var serverHasLeft: Bool {
        guard let unheardSocket else { return false }
        var byte: UInt8 = 0
        let count = recv(unheardSocket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
}
