#if CURL
import CMoyaCurl

/// Returns the result of setting an option. Tests replace it to simulate options that libcurl
/// refuses for want of memory.
class OptionCheck: @unchecked Sendable {
    // Safe to share: it has no state.

    init() {}

    func result(of option: CURLoption, _ code: CURLcode) -> CURLcode { code }
    func result(of option: CURLMoption, _ code: CURLMcode) -> CURLMcode { code }
}
#endif
