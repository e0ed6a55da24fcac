#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// How transfers go on that waited for this side: for room in a stream, or for bytes to send.
extension CurlDriver {
    func proceed(_ transfer: Transfer, with direction: Pause) {
        guard let attempt = transfer.attempt, !attempt.paused.isDisjoint(with: direction) else {
            return
        }
        attempt.times.lastActivity = now
        resume(attempt, direction)
    }

    /// Has libcurl go on in one direction.
    func resume(_ attempt: Attempt, _ direction: Pause) {
        attempt.paused.subtract(direction)
        // Silence counts again. While it did not, no timer may have been set for it.
        checkTimes(of: attempt.transfer, at: attempt.nextCheck)
        // Hands over at once what libcurl has kept, and may pause again.
        let code = curl_easy_pause(attempt.easy.raw, attempt.paused.rawValue)
        guard code != CURLE_OK, attempt.transfer.attempt === attempt else { return }
        // It has no connection at the moment, as the one it had broke down: with the next one it begins anew.
        if code == CURLE_BAD_FUNCTION_ARGUMENT { return }
        // No callback has aborted anything: libcurl could not note that it uses the socket again.
        if code == CURLE_ABORTED_BY_CALLBACK, attempt.failure == nil {
            return giveUpMulti(CurlError(CURLE_OUT_OF_MEMORY))
        }
        fail(
            attempt.transfer,
            with: attempt.failure
                ?? URLError(code, detail: attempt.handle.error, verification: 0, url: attempt.url))
    }
}
#endif
