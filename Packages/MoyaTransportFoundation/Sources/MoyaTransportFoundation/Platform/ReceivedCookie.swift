import MoyaInternals

#if !canImport(Security)
    import Foundation
    import FoundationNetworking
    import MoyaCore

    /// A cookie of a `Set-Cookie` field (RFC 6265bis, sections 4.1.3, 5.6 and 5.7).
    struct ReceivedCookie {
        private let name: String
        private let value: String
        private let host: String
        /// The host of the `Domain` attribute, in lower case and without its first dot.
        private var domain: String?
        private var path: String?
        private var expiry: Date?
        private var lifetime: Date?
        private var isSecure = false
        private var isHTTPOnly = false
        private let url: URL

        /// - Returns: `nil` for a cookie that has no name, is too long, contains control characters or is not allowed
        ///   from `url`.
        init?(_ text: String, from url: URL) {
            let hasControls = text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
            guard !hasControls, let host = url.host?.lowercased() else { return nil }
            var parts = text.split(separator: ";", omittingEmptySubsequences: false)[...]
            let (name, value) = Self.pair(parts.removeFirst())
            guard let value, !name.isEmpty, name.utf8.count + value.utf8.count <= 4096 else {
                return nil
            }
            self.name = name
            self.value = value
            self.host = host
            self.url = url
            for part in parts { take(Self.pair(part)) }
            guard isAllowed else { return nil }
        }

        /// Keeps an attribute (section 5.6). The last of a name counts.
        private mutating func take(_ attribute: (name: String, value: String?)) {
            let value = attribute.value ?? ""
            guard value.utf8.count <= 1024 else { return }
            switch attribute.name.lowercased() {
            case "expires": expiry = Self.date(value) ?? expiry
            case "max-age": lifetime = Self.end(ofAge: value) ?? lifetime
            case "domain":
                let host = value.hasPrefix(".") ? String(value.dropFirst()) : value
                domain = host.isEmpty ? nil : host.lowercased()
            case "path": path = value.hasPrefix("/") ? value : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }

        private var isAllowed: Bool {
            guard !isSecure || url.isSecure, domainMatchesHost else { return false }
            let prefix = name.lowercased()
            if prefix.hasPrefix("__secure-") { return isSecure }
            if prefix.hasPrefix("__host-") { return isSecure && domain == nil && path == "/" }
            return true
        }

        /// Whether the host is the domain or one of its subdomains (section 5.1.3). There is no public suffix list: of the
        /// public suffixes, those without a dot alone (`com`) are refused, `co.uk` is not.
        private var domainMatchesHost: Bool {
            guard let domain, domain != host else { return true }
            return host.hasSuffix("." + domain) && domain.contains(".") && !isAddress
        }

        /// No name of a host ends in a label of digits alone (RFC 3696, section 2).
        private var isAddress: Bool {
            host.contains(":") || host.split(separator: ".").last.map { Int($0) != nil } ?? false
        }

        /// The cookie as a storage keeps it: a dot before the domain means its hosts as well.
        var cookie: HTTPCookie? {
            let isForHosts = domain != nil && !isAddress
            var properties: [HTTPCookiePropertyKey: Any] = [
                .name: name, .value: value, .domain: isForHosts ? "." + (domain ?? host) : host,
                .path: path ?? defaultPath,
            ]
            if isSecure { properties[.secure] = "TRUE" }
            if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
            properties[.expires] = lifetime ?? expiry
            return HTTPCookie(properties: properties)
        }

        /// The folder of the request's path (section 5.1.4).
        private var defaultPath: String {
            let path = url.cookiePath
            guard let end = path.lastIndex(of: "/"), end != path.startIndex else { return "/" }
            return String(path[..<end])
        }

        // MARK: Texts

        /// The cookies of fields that have been joined. A comma begins another one where a name and `=` follow, which they
        /// do not in a date.
        static func split(_ field: String) -> [String] {
            var texts: [String] = []
            for part in field.split(separator: ",", omittingEmptySubsequences: false) {
                let name = part.prefix { $0 != "=" && $0 != ";" }
                let isName =
                    !name.isEmpty && name.endIndex < part.endIndex
                    && part[name.endIndex] == "="
                    && name.trimmingCharacters(in: .whitespaces).utf8
                        .allSatisfy(HTTPToken.isTokenCharacter)
                if isName || texts.isEmpty {
                    texts.append(String(part))
                } else {
                    texts[texts.count - 1] += "," + part
                }
            }
            return texts
        }

        private static func pair(_ text: Substring) -> (name: String, value: String?) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
        }

        /// When a cookie of that `Max-Age` expires: in the past for 0 and less.
        private static func end(ofAge value: String) -> Date? {
            let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            // More than a Double counts in seconds is a long time, too.
            let seconds = min(Double(value) ?? 0, 1e10)
            return seconds > 0 ? Date(timeIntervalSinceNow: seconds) : .distantPast
        }

        /// Netscape's form has dashes, and four digits of the year.
        private static func date(_ value: String) -> Date? {
            HTTPDate.parse(value)
                ?? HTTPDate.parse(value.replacingOccurrences(of: "-", with: " "))
        }
    }
#endif
