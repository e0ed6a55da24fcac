#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    /// The cookies of a session, kept and sent as RFC 6265bis has it.
    ///
    /// URLSession here has no part in that: it ignores `Max-Age`, keeps cookies for domains of others, and sends secure ones
    /// over plain connections and to any path.
    struct SessionCookies: Sendable {
        private let storage: HTTPCookieStorage
        private let areSent: Bool
        private let areKept: Bool

        init(storage: HTTPCookieStorage, areSent: Bool = true, areKept: Bool = true) {
            self.storage = storage
            self.areSent = areSent
            self.areKept = areKept
        }

        /// The `Cookie` field for `url` (section 5.8.3). `nil` for none.
        func field(for url: URL) -> String? {
            guard areSent else { return nil }
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

        /// Keeps what a response from `url` sets with `field`, and removes what it has expire (section 5.7).
        ///
        /// - Parameter field: The `Set-Cookie` fields, which URLSession has joined with commas.
        func keep(_ field: String, from url: URL) {
            guard areKept else { return }
            for text in ReceivedCookie.split(field) {
                guard let received = ReceivedCookie(text, from: url), let cookie = received.cookie,
                    cookie.isSecure || !hidesSecureCookie(cookie, from: url)
                else { continue }
                if let expiry = cookie.expiresDate, expiry <= Date() {
                    storage.deleteCookie(cookie)
                } else {
                    storage.setCookie(cookie)
                }
            }
        }

        /// Whether `cookie`, from a plain connection, would be taken for a secure one that is kept (section 5.7, step 12).
        private func hidesSecureCookie(_ cookie: HTTPCookie, from url: URL) -> Bool {
            guard !url.isSecure else { return false }
            return (storage.cookies ?? []).contains { kept in
                let (old, new) = (kept.domain.withoutDot, cookie.domain.withoutDot)
                return kept.isSecure && kept.name == cookie.name
                    && (old == new || old.hasSuffix("." + new) || new.hasSuffix("." + old))
                    && kept.covers(cookie.path)
            }
        }
    }

    extension HTTPCookie {
        /// Section 5.1.4.
        fileprivate func covers(_ requestPath: String) -> Bool {
            guard requestPath.hasPrefix(path) else { return false }
            return path.hasSuffix("/") || requestPath.utf8.count == path.utf8.count
                || requestPath.dropFirst(path.count).first == "/"
        }

        /// Whether a field with it would be more than one, or none. Callers keep cookies in the storage, too.
        fileprivate var splitsMessages: Bool {
            (name + value).utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        }
    }

    extension String {
        fileprivate var withoutDot: Substring { hasPrefix(".") ? dropFirst() : self[...] }
    }

    extension URL {
        var isSecure: Bool { scheme?.lowercased() == "https" }

        /// The path as cookies see it, never empty.
        var cookiePath: String {
            let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath
            return path.flatMap { $0.isEmpty ? nil : $0 } ?? "/"
        }
    }
#endif
