#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// Resumes paused transfers: when a response stream has room again, a request stream has bytes, or
// the next part of a response may be decoded.
extension CurlDriver {
    /// Resumes `transfer` if it is paused in `direction`.
    func proceed(_ transfer: Transfer, with direction: Pause) {
        guard let attempt = transfer.attempt, !attempt.paused.isDisjoint(with: direction) else {
            return
        }
        attempt.times.lastActivity = now
        resume(attempt, direction)
    }

    /// Resumes `attempt` in `direction`.
    func resume(_ attempt: Attempt, _ direction: Pause) {
        attempt.paused.subtract(direction)
        // The idle timeout applies again. While the transfer was paused, no timer may have been set
        // for it.
        setTimer(of: attempt.transfer, noLaterThan: attempt.nextCheck)
        // Delivers the bytes that libcurl has buffered, during the call, and may pause again.
        let code = curl_easy_pause(attempt.easy.raw, attempt.paused.rawValue)
        guard code != CURLE_OK, attempt.transfer.attempt === attempt else { return }
        // The attempt has no connection at the moment, because the one it had failed. libcurl opens
        // another.
        if code == CURLE_BAD_FUNCTION_ARGUMENT { return }
        // Not caused by a callback: libcurl had no memory to record that it uses the socket again.
        if code == CURLE_ABORTED_BY_CALLBACK, attempt.failure == nil {
            return giveUpMulti(CurlError(CURLE_OUT_OF_MEMORY))
        }
        fail(
            attempt.transfer,
            with: attempt.failure
                ?? URLError(code, detail: attempt.handle.error, url: attempt.url))
    }
}
#endif
