#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

// Redirects with a long or endless body, which no caller asks for.
extension Attempt {
    /// Whether this is the body of a redirect that will be followed, and too long to be worth
    /// reading.
    func isTooLongForRedirect() -> Bool {
        // The reader of a streamed body has the head by now, and stops the transfer itself.
        guard progress.bytesReceived > ResponseBodyStream.skippedBodyLimit, transfer.stream == nil
        else {
            return false
        }
        // Computed once for each body, because it copies the head.
        let isFollowed = body.isFollowed ?? surelyFollows()
        body.isFollowed = isFollowed
        return isFollowed
    }

    private func surelyFollows() -> Bool {
        guard Redirect.isRedirect(easy.long(CURLINFO_RESPONSE_CODE)), let url else { return false }
        return request.surelyFollows(summary(url).0)
    }
}
#endif
