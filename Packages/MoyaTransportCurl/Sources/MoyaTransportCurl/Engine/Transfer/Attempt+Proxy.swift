#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

/// The proxy requires another authentication scheme than expected. The request is sent again on
/// another connection: a proxy such as Squid does not read on after it has refused a body.
struct OtherProxyScheme: Error {}

extension Attempt {
    /// Whether the proxy has refused the attempt's authentication scheme and offers another, which
    /// is then used for the transfer's next attempt, and for later transfers.
    ///
    /// - Parameter status: The status of a response. That of a server counts neither without a
    ///   proxy nor at the end of a tunnel.
    func learnsProxyScheme(status: Int) -> Bool {
        guard status == 407, handle.profile?.isSecure == false else { return false }
        let configuration = handle.context.configuration
        return configuration.network.unixSocket == nil
            && configuration.proxy.hasCredential(forPlain: url?.host ?? "")
            && learnsOfferedScheme()
    }

    /// Like ``learnsProxyScheme(status:)``, for a tunnel that the proxy has refused: libcurl does
    /// not show its response.
    func learnsProxyScheme(after code: CURLcode) -> Bool {
        code != CURLE_OK && failure == nil && easy.long(CURLINFO_HTTP_CONNECTCODE) == 407
            && handle.context.configuration.proxy.mayHaveCredential && learnsOfferedScheme()
    }

    private func learnsOfferedScheme() -> Bool {
        guard !transfer.repeats.hasOtherProxyScheme,
            let scheme = handle.profile?.proxyScheme.replacement(
                among: easy.long(CURLINFO_PROXYAUTH_AVAIL))
        else { return false }
        handle.context.proxyScheme = scheme
        transfer.repeats.hasOtherProxyScheme = true
        return true
    }
}
#endif
