#if CURL
import CMoyaCurl

/// An authentication scheme for proxies.
enum ProxyScheme {
    case basic, digest

    /// libcurl's bit for the scheme.
    var mask: Int { self == .basic ? moya_auth_mask(1, 0, 0) : moya_auth_mask(0, 1, 0) }

    /// The other scheme, if a challenge offers it and not this one.
    ///
    /// - Parameter offers: The bits of `CURLINFO_PROXYAUTH_AVAIL`.
    func replacement(among offers: Int) -> ProxyScheme? {
        let other = self == .basic ? ProxyScheme.digest : .basic
        return offers & mask == 0 && offers & other.mask != 0 ? other : nil
    }

    /// Whether the proxy has refused the attempt's authentication scheme and offers another, which
    /// is then used for the transfer's next attempt, and for later transfers.
    ///
    /// - Parameter status: The status of a response. That of a server counts neither without a
    ///   proxy nor at the end of a tunnel.
    static func isLearned(by attempt: Attempt, status: Int) -> Bool {
        guard status == 407, attempt.handle.profile?.isSecure == false else { return false }
        let configuration = attempt.handle.context.configuration
        return configuration.network.unixSocket == nil
            && configuration.proxy.hasCredential(forPlain: attempt.url?.host ?? "")
            && isOffered(to: attempt)
    }

    /// Like ``isLearned(by:status:)``, for a tunnel that the proxy has refused: libcurl does not
    /// show its response.
    static func isLearned(by attempt: Attempt, after code: CURLcode) -> Bool {
        code != CURLE_OK && attempt.failure == nil
            && attempt.easy.long(CURLINFO_HTTP_CONNECTCODE) == 407
            && attempt.handle.context.configuration.proxy.mayHaveCredential
            && isOffered(to: attempt)
    }

    private static func isOffered(to attempt: Attempt) -> Bool {
        guard !attempt.transfer.repeats.hasOtherProxyScheme,
            let scheme = attempt.handle.profile?.proxyScheme.replacement(
                among: attempt.easy.long(CURLINFO_PROXYAUTH_AVAIL))
        else { return false }
        attempt.handle.context.proxyScheme = scheme
        attempt.transfer.repeats.hasOtherProxyScheme = true
        return true
    }
}
#endif
