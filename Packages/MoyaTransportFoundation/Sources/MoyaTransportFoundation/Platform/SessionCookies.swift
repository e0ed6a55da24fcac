#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    /// Cookies of a session, stored and sent by RFC 6265bis.
    ///
    /// Replaces URLSession's cookie handling on Linux, which ignores `Max-Age`, stores cookies for
    /// the domains of other hosts, and sends secure cookies over plain connections and to any path.
    /// Without a public suffix list (section 5.7), a server in `a.co.uk` can set a cookie for
    /// `co.uk`.
    struct SessionCookies: Sendable {
        let storage: HTTPCookieStorage
        var sendsCookies = true
        var storesCookies = true

        /// Returns the `Cookie` field for `url` (section 5.8.3), or `nil` if no cookie applies.
        func field(for url: URL) -> String? {
            guard sendsCookies else { return nil }
            let (isSecure, path) = (url.isSecure, url.cookiePath)
            let cookies = (storage.cookies(for: url) ?? [])
                .filter { cookie in
                    (isSecure || !cookie.isSecure) && cookie.expiresDate.map { $0 > Date() } ?? true
                        && cookie.covers(path) && !cookie.splitsMessages
                }
                .sorted { $0.path.utf8.count > $1.path.utf8.count }
            return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"].flatMap {
                $0.isEmpty ? nil : $0
            }
        }

        /// Stores the cookies that a response from `url` sets, and deletes expired ones (section
        /// 5.7).
        ///
        /// - Parameter field: `Set-Cookie` fields, joined with commas by URLSession.
        func keep(_ field: String, from url: URL) {
            guard storesCookies else { return }
            for text in ReceivedCookie.split(field) {
                guard let received = ReceivedCookie(text, from: url), let cookie = received.cookie,
                    cookie.isSecure || !wouldOverwriteSecureCookie(cookie, from: url)
                else { continue }
                if let expiry = cookie.expiresDate, expiry <= Date() {
                    storage.deleteCookie(cookie)
                } else {
                    storage.setCookie(cookie)
                }
            }
        }

        /// Whether `cookie`, received over a plain connection, would overwrite or shadow a stored
        /// secure cookie (section 5.7, step 12).
        private func wouldOverwriteSecureCookie(_ cookie: HTTPCookie, from url: URL) -> Bool {
            guard !url.isSecure else { return false }
            return (storage.cookies ?? []).contains { stored in
                let (old, new) = (stored.domain.withoutDot, cookie.domain.withoutDot)
                return stored.isSecure && stored.name == cookie.name
                    && (old == new || old.hasSuffix("." + new) || new.hasSuffix("." + old))
                    && stored.covers(cookie.path)
            }
        }
    }

    extension HTTPCookie {
        /// Whether the cookie's path matches (section 5.1.4).
        fileprivate func covers(_ requestPath: String) -> Bool {
            guard requestPath.hasPrefix(path) else { return false }
            return path.hasSuffix("/") || requestPath.utf8.count == path.utf8.count
                || requestPath.dropFirst(path.count).first == "/"
        }

        /// Whether the cookie contains control characters, which could split the message. Callers
        /// may add such cookies to the storage.
        fileprivate var splitsMessages: Bool {
            (name + value).utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        }
    }

    extension String {
        fileprivate var withoutDot: Substring { hasPrefix(".") ? dropFirst() : self[...] }
    }

    extension URL {
        var isSecure: Bool { scheme?.lowercased() == "https" }

        /// Path for cookie matching, never empty.
        var cookiePath: String {
            let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath
            return path.flatMap { $0.isEmpty ? nil : $0 } ?? "/"
        }
    }
#endif
