#if CURL
import CMoyaCurl
import Foundation
import MoyaInternals

// Servers that close a kept connection after they have received a request, and perhaps processed
// it. libcurl sends any request once more on another connection, also a `POST`.
extension Attempt {
    /// The reason why libcurl must not write the request again, as it is about to. `nil` if it has
    /// not written the request before, or may write it again: the request is idempotent (RFC 9110,
    /// section 9.2.2), or the server has refused it without processing it for the first time, and
    /// the body is no stream.
    ///
    /// - Parameter sent: Number of bytes that libcurl has sent of requests.
    func repetitionFault(sent: Int) -> String? {
        guard let sentAtBegin = upload.sentAtBegin, sent > sentAtBegin,
            !head.hasAnswerSinceBegin, handle.profile?.isIdempotent != true
        else { return nil }
        guard upload.refusal.isCertain else {
            return "The connection was lost before the response. The request was not repeated, "
                + "because the server may have processed it."
        }
        if hasStream { return refusalText }
        return exchange(&transfer.repeats.lostServer, with: true) ? refusalText : nil
    }
}
#endif
