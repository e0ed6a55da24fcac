#if CURL
// Versions: 7.88.0 to 8.0.1.
// Test: HTTP2AnswerTests, UploadChallengeTests.
// Without them: this file, its uses in `CurlHandle.setVersion` and `FailureReason`, and
//   `answerLost` and `isHTTP2` of `Upload`.

import CMoyaCurl
import MoyaCore

/// Responses that arrive over HTTP/2 together with a reset of the stream, which libcurl drops. A
/// server sends that reset to make a client stop sending (RFC 9113, section 8.1).
enum ResetAnswers {
    static let areLost = (0x075800..<0x080100).contains(CurlLibrary.version)

    private static let text =
        "The server ended the exchange before it had the request's body, and \(CurlLibrary.name) has lost its "
        + "response. libcurl 8.1 and later deliver it."

    static func error(_ url: URL?, _ code: CURLcode? = nil) -> URLError {
        let cause = code.map { CurlError($0, detail: text) }
        return URLError(.networkConnectionLost, text, url: url, cause: cause)
    }

    /// Whether libcurl has dropped the response of an attempt that ended with `code`. It then
    /// reports the reset without an error message, or an empty response.
    static func isLost(_ code: CURLcode, _ attempt: Attempt) -> Bool {
        areLost
            && (code == CURLE_HTTP2_STREAM && attempt.handle.error.isEmpty
                || code == CURLE_GOT_NOTHING && attempt.upload.isHTTP2)
    }
}
#endif
