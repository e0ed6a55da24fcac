#if CURL
import Foundation
import MoyaCore

// Host names that overflow libcurl's buffer. A server's redirect may have one.
extension Attempt {
    /// Host names have at most 255 bytes (RFC 1035, section 2.3.4). libcurl before 8.4.0 writes a
    /// longer one past the end of its buffer for SOCKS5 proxies.
    ///
    /// - Throws: `URLError(.cannotFindHost)` for a longer name.
    func checkHostName() throws(URLError) {
        guard (url?.host?.utf8.count ?? 0) <= 255 else {
            throw URLError(
                .cannotFindHost, "The host's name is longer than 255 bytes.", url: url)
        }
    }
}
#endif
