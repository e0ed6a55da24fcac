import Foundation

/// Resolves URI references in responses, such as the value of `Location` (RFC 3986, section 5.2).
///
/// Works on bytes, because `URL(string:relativeTo:)` encodes the percent signs of a component's
/// escapes once more if the component also has a character that is invalid there.
public struct URLReference {
    private var scheme: ArraySlice<UInt8>?
    private var authority: ArraySlice<UInt8>?
    private var path: ArraySlice<UInt8>
    private var query: ArraySlice<UInt8>?
    private var fragment: ArraySlice<UInt8>?

    /// Returns the absolute URL that `reference` means in a response from `base`. `nil` if that is
    /// not a URL.
    ///
    /// Escapes are kept. Characters that a component must not contain are percent-encoded, and so
    /// is a percent sign that begins no escape. Dot segments are resolved, percent-encoded or not.
    /// As in the WHATWG URL standard, which browsers follow, tabs and line breaks are removed, and
    /// so are spaces and control characters at both ends.
    public static func resolve(_ reference: String, relativeTo base: URL) -> URL? {
        URLReference(sent: reference).resolved(against: URLReference(base)).url
    }

    /// Returns `url` without dot segments (RFC 3986, section 5.2.4), percent-encoded or not.
    public static func removingDotSegments(from url: URL) -> URL {
        URLReference(url).resolved(against: URLReference(url)).url ?? url
    }

    private init(_ url: URL) { self.init(Array(url.absoluteString.utf8)) }

    private init(sent reference: String) {
        let text = reference.utf8.drop { $0 <= 0x20 }
        let end = text.lastIndex { $0 > 0x20 }.map(text.index(after:)) ?? text.startIndex
        self.init(text[..<end].filter { ![0x09, 0x0A, 0x0D].contains($0) })
    }

    /// Splits a reference into its components (RFC 3986, appendix B).
    private init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        fragment = Self.cut(&rest, before: UInt8(ascii: "#"))
        query = Self.cut(&rest, before: UInt8(ascii: "?"))
        let end = rest.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        if let end, rest[end] == UInt8(ascii: ":"), Self.isScheme(rest[..<end]) {
            scheme = rest[..<end]
            rest = rest[(end + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = rest
    }

    /// Removes the first `delimiter` and everything after it from `rest`, and returns the latter.
    private static func cut(
        _ rest: inout ArraySlice<UInt8>, before delimiter: UInt8
    ) -> ArraySlice<UInt8>? {
        guard let index = rest.firstIndex(of: delimiter) else { return nil }
        defer { rest = rest[..<index] }
        return rest[(index + 1)...]
    }

    private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, Character(Unicode.Scalar(first)).isLetter else {
            return false
        }
        return text.allSatisfy {
            switch Unicode.Scalar($0) {
            case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
            default: false
            }
        }
    }
}

extension URLReference {
    /// Transforms the reference (RFC 3986, section 5.2.2, for strict parsers).
    private func resolved(against base: URLReference) -> URLReference {
        var result = self
        if scheme == nil {
            result.scheme = base.scheme
            if authority == nil {
                result.authority = base.authority
                if path.isEmpty {
                    result.path = base.path
                    result.query = query ?? base.query
                } else if path.first != UInt8(ascii: "/") {
                    result.path = base.merged(with: path)
                }
            }
        }
        result.removeDotSegments()
        return result
    }

    /// Merges paths (RFC 3986, section 5.2.3).
    private func merged(with relative: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else {
            return authority == nil ? relative : "/".utf8 + relative
        }
        return path[...slash] + relative
    }

    /// Resolves the dot segments of a path that begins with a slash. Other paths of absolute URLs
    /// have no segments: `mailto:a`.
    private mutating func removeDotSegments() {
        guard path.first == UInt8(ascii: "/") else { return }
        let segments = path.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for (index, segment) in segments.enumerated() {
            let dots = PercentEncoding.dots(segment)
            guard dots > 0 else {
                kept.append(segment)
                continue
            }
            if dots == 2 { _ = kept.popLast() }
            // The path of a directory ends with a slash.
            if index == segments.count - 1 { kept.append([]) }
        }
        path = ArraySlice(kept.flatMap { "/".utf8 + $0 })
    }

    /// The composed URL (RFC 3986, section 5.3).
    private var url: URL? {
        guard let scheme else { return nil }
        var text = Array(scheme) + ":".utf8
        if let authority {
            text += "//".utf8 + Self.encodingUserInfo(of: authority)
        } else if path.starts(with: "//".utf8) {
            // Otherwise the path would become a host.
            text += "/.".utf8
        }
        text += PercentEncoding.encoded(path, keeping: PercentEncoding.isPathCharacter)
        for (delimiter, part) in [("?", query), ("#", fragment)] {
            guard let part else { continue }
            text += delimiter.utf8
            text += PercentEncoding.encoded(part, keeping: PercentEncoding.isQueryCharacter)
        }
        // Foundation converts a host that is not ASCII.
        return URL(string: String(decoding: text, as: UTF8.self))
    }

    private static func encodingUserInfo(of authority: ArraySlice<UInt8>) -> [UInt8] {
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")) else { return Array(authority) }
        let userInfo = PercentEncoding.encoded(authority[..<end]) {
            $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: "/")
                && PercentEncoding.isPathCharacter($0)
        }
        return userInfo + authority[end...]
    }
}
