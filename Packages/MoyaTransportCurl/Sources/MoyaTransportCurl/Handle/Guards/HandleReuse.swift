#if CURL
import CMoyaCurl

// What a handle keeps from one transfer to the next. A handle may carry another request only where libcurl keeps nothing that
// could reach it, and where everything that decides about its options is equal.
extension CurlLibrary {
    /// Whether an easy handle may carry one transfer after the other. What older ones keep from the transfer before:
    ///
    /// - 7.84.0 to 8.0.1 a pointer to its last header field. Where the next response's first field line begins with white
    ///   space, they append to that freed field: any server could corrupt the heap.
    /// - 7.72.0 to 8.16.0 the count of retries on connections that the server has closed. After five in all, a request
    ///   fails that would have gone through on a new connection.
    fileprivate static let reusesHandles = version >= 0x081100
}

extension CurlHandle {
    /// Whether the handle has the options of `next` and may carry it as it is.
    func serves(_ next: HandleProfile) -> Bool {
        CurlLibrary.reusesHandles && profile == next && !next.hasCredential
    }

    /// Sets the options of `next` on a handle without any.
    ///
    /// - Parameter setMore: Sets those that belong to the request alone.
    func prepare(
        for next: HandleProfile, _ setMore: () throws(EasyHandle.OptionError) -> Void
    ) throws(EasyHandle.OptionError) {
        guard renew() else {
            throw EasyHandle.OptionError(option: CURLOPT_URL, code: CURLE_OUT_OF_MEMORY)
        }
        try setOptions(for: next)
        try setMore()
        profile = next
    }

    /// Forgets every option, if any is set. Connections belong to the multi handle and stay. `false` if there is
    /// no memory left.
    ///
    /// `curl_easy_reset` does not say when it had no memory for a default, and leaves out those that follow. And it
    /// loses the list of cookie files.
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
