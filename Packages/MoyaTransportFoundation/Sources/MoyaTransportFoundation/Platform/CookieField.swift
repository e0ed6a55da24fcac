#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    extension HTTPCookieStorage {
        /// The `Cookie` field for `url` (RFC 6265, section 5.4). `nil` for none.
        ///
        /// URLSession here looks at a cookie's host alone: it would send one that is `Secure` over http, or to any
        /// path.
        func field(for url: URL) -> String? {
            let isSecure = url.scheme?.lowercased() == "https"
            let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath
            let cookies = (cookies(for: url) ?? [])
                .filter { cookie in
                    (isSecure || !cookie.isSecure) && cookie.expiresDate.map { $0 > Date() } ?? true
                        && cookie.covers(path.flatMap { $0.isEmpty ? nil : $0 } ?? "/")
                }
                .sorted { $0.path.utf8.count > $1.path.utf8.count }
            return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"].flatMap {
                $0.isEmpty ? nil : $0
            }
        }
    }

    extension HTTPCookie {
        /// RFC 6265, section 5.1.4.
        fileprivate func covers(_ requestPath: String) -> Bool {
            guard requestPath.hasPrefix(path) else { return false }
            return path.hasSuffix("/") || requestPath.utf8.count == path.utf8.count
                || requestPath.dropFirst(path.count).first == "/"
        }
    }
#endif
