#if CURL
import CMoyaCurl
import Foundation

// Servers that close a kept connection after they have received a request, and perhaps processed
// it. libcurl sends any request once more on another connection, also a `POST`.
extension Attempt {
    /// Whether libcurl is about to write a request again that the server may have processed, and
    /// that is not idempotent (RFC 9110, section 9.2.2).
    ///
    /// - Parameter sent: Number of bytes that libcurl has sent of requests.
    func isForbiddenRepetition(sent: Int) -> Bool {
        guard let sentAtBegin = upload.sentAtBegin, sent > sentAtBegin else { return false }
        return !head.hasAnswerSinceBegin && handle.profile?.isIdempotent != true
    }
}
#endif
