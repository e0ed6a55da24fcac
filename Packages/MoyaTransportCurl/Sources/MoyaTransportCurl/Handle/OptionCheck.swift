#if CURL
import CMoyaCurl

/// Decides whether libcurl has taken an option: by its code. Tests have one that refuses options which libcurl takes, as it
/// does where the memory is used up.
class OptionCheck: @unchecked Sendable {
    // Safe to share: without state.

    init() {}

    func result(of option: CURLoption, _ code: CURLcode) -> CURLcode { code }
    func result(of option: CURLMoption, _ code: CURLMcode) -> CURLMcode { code }
}
#endif
