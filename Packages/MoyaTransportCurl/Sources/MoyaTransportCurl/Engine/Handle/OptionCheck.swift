#if CURL
import CMoyaCurl

/// Turns libcurl's result of setting an option into an error.
class OptionCheck: @unchecked Sendable {
    // Safe to share: it has no state.

    init() {}

    func check(_ option: CURLoption, _ code: CURLcode) throws(CurlError) {
        guard code == CURLE_OK else {
            throw CurlError(code, detail: "libcurl refused option \(option.rawValue)")
        }
    }

    func check(_ option: CURLMoption, _ code: CURLMcode) throws(CurlError) {
        guard code == CURLM_OK else { throw CurlError(code) }
    }
}
#endif
