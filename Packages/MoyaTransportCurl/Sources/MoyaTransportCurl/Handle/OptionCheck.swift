#if CURL
import CMoyaCurl

/// Turns libcurl's result of setting an option into an error.
class OptionCheck: @unchecked Sendable {
    // Safe to share: it has no state.

    init() {}

    func check(_ option: CURLoption, _ code: CURLcode) throws(EasyHandle.OptionError) {
        guard code == CURLE_OK else {
            throw EasyHandle.OptionError(option: option, code: code)
        }
    }

    func check(_ option: CURLMoption, _ code: CURLMcode) throws(CurlError) {
        guard code == CURLM_OK else { throw CurlError(code) }
    }
}
#endif
