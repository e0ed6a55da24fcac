#if CURL
import CMoyaCurl

// Reuse of easy handles. A handle may carry another request only if libcurl keeps no state that
// affects it, and if both requests have equal profiles.
extension CurlLibrary {
    /// Whether an easy handle may carry several transfers. Older versions of libcurl keep state of
    /// the previous transfer:
    ///
    /// - 7.84.0 to 8.0.1 keep a pointer to its last header field. If the first field line of the
    ///   next response begins with whitespace, they append to that freed field: any server can
    ///   corrupt the heap.
    /// - 7.72.0 to 8.16.0 keep the number of retries on connections that the server has closed.
    ///   After five in total, a request fails that would have succeeded on a new connection.
    fileprivate static let reusesHandles = version >= 0x081100
}

extension CurlHandle {
    /// Whether the handle's options fit `next`, so that it can be used without a change.
    func serves(_ next: HandleProfile) -> Bool {
        CurlLibrary.reusesHandles && profile == next && !next.hasCredential
    }

    /// Sets the options for `next`, after removing earlier ones.
    ///
    /// - Parameter setMore: Sets the options that the profile does not determine.
    func prepare(
        for next: HandleProfile, _ setMore: () throws(CurlError) -> Void
    ) throws(CurlError) {
        guard renew() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        try setOptions(for: next)
        try setMore()
        profile = next
    }

    /// Removes every option, if any is set, by replacing the easy handle. Connections belong to the
    /// multi handle and stay open. `false` if there is no memory.
    ///
    /// `curl_easy_reset` does not report that it had no memory for a default, and then skips the
    /// remaining ones. It also loses the list of cookie files.
    private func renew() -> Bool {
        guard profile != nil else { return true }
        guard let raw = curl_easy_init() else { return false }
        curl_easy_cleanup(easy.raw)
        easy = EasyHandle(raw: raw, options: context.options)
        profile = nil
        return true
    }
}
#endif
