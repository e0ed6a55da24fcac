import MoyaInternals

#if !canImport(Security)
    import Foundation
    import FoundationNetworking
    import MoyaCore

    /// Cookie of a `Set-Cookie` field (RFC 6265bis, sections 4.1.3, 5.6 and 5.7).
    struct ReceivedCookie {
        private let name: String
        private let value: String
        private let host: String
        /// Value of the `Domain` attribute, in lower case and without a leading dot.
        private var domain: String?
        private var path: String?
        private var expiry: Date?
        private var lifetime: Date?
        private var isSecure = false
        private var isHTTPOnly = false
        private let url: URL

        /// Parses a cookie. `nil` if it has no name, is too long, contains control characters or is
        /// not allowed for `url`.
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

        /// Records an attribute (section 5.6). Of duplicate attributes, the last counts.
        private mutating func take(_ attribute: (name: String, value: String?)) {
            let value = attribute.value ?? ""
            guard value.utf8.count <= 1024 else { return }
            switch attribute.name.lowercased() {
            case "expires": expiry = CookieDate.parse(value) ?? expiry
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

        /// Whether the host is the domain or one of its subdomains (section 5.1.3). Without a
        /// public suffix list, only suffixes without a dot are rejected: `com`, but not `co.uk`.
        private var domainMatchesHost: Bool {
            guard let domain, domain != host else { return true }
            return host.hasSuffix("." + domain) && domain.contains(".") && !isAddress
        }

        /// Whether the host is an IP address. The last label of a host name is never all-numeric
        /// (RFC 3696, section 2).
        private var isAddress: Bool {
            host.contains(":") || host.split(separator: ".").last.map { Int($0) != nil } ?? false
        }

        /// Cookie for `HTTPCookieStorage`, where a leading dot makes a domain match its subdomains.
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

        /// Default path: the directory of the request's path (section 5.1.4).
        private var defaultPath: String {
            let path = url.cookiePath
            guard let end = path.lastIndex(of: "/"), end != path.startIndex else { return "/" }
            return String(path[..<end])
        }

        // MARK: Parsing

        /// Splits `Set-Cookie` fields that URLSession has joined with commas. A comma followed by a
        /// name and `=` starts a cookie; in a date, no such text follows.
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

        /// Returns the expiry for a `Max-Age` value, in the past for 0 and negative values.
        private static func end(ofAge value: String) -> Date? {
            let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            // Caps the value, which may exceed the range of Double.
            let seconds = min(Double(value) ?? 0, 1e10)
            return seconds > 0 ? Date(timeIntervalSinceNow: seconds) : .distantPast
        }
    }
#endif
