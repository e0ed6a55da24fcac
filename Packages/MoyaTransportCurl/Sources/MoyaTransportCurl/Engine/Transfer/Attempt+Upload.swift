#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// libcurl's callbacks while it sends a request, on the loop's thread.
extension Attempt {
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            guard let count = try upload.source?.read(into: buffer) else {
                paused.insert(.sending)
                handle.liftSpeedBound()
                checkForEarlyAnswer(after: Self.answerCheckInterval)
                return moya_read_pause()
            }
            endWaitingToSend()
            if handle.isUnbound { handle.restoreSpeedBound() }
            times.lastActivity = driver.now
            progress.bytesSent = upload.source?.offset ?? 0
            if count > 0 {
                upload.sending?.hand(count)
                request.progress?(progress)
            }
            return count
        } catch {
            failure = error
            return moya_read_abort()
        }
    }

    func makeTrailers(_ list: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
        guard case .stream(let stream) = request.body, let trailers = stream.trailers?() else {
            return true
        }
        do {
            try RequestValidation.validate(trailers)
            list = try CurlLibrary.makeList(trailers.map { "\($0.name): \($0.value)" })
            return true
        } catch is CurlError {
            failure = URLError(CURLE_OUT_OF_MEMORY, url: url)
        } catch {
            failure = error
        }
        return false
    }

    func seek(_ offset: Int64) -> Bool {
        endWaitingToSend()
        guard case .stream(let stream) = request.body, offset == 0, upload.source?.offset != 0
        else {
            return upload.source?.seek(to: offset) ?? false
        }
        // If the stream cannot be created again, the first read reports the error.
        upload.source?.close()
        upload.source = makeSource(stream)
        return true
    }
}

/// The progress of sending a request.
struct AttemptUpload {
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
}
#endif
