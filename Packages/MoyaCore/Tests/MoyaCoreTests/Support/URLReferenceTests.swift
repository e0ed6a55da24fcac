import Foundation
import MoyaInternals
import MoyaTestSupport
import MoyaTesting
import Testing

@Suite(.seeded) struct URLReferenceTests {
    private static func resolve(_ reference: String, _ base: String) -> String? {
        URLReference.resolve(reference, relativeTo: url(base))?.absoluteString
    }

    // RFC 3986, sections 5.4.1 and 5.4.2. The last one as a strict parser reads it.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        ("http:g", "http:g"),
    ])
    func `a reference of RFC 3986 resolves as its tables say`(reference: String, expected: String) {
        #expect(Self.resolve(reference, "http://a/b/c/d;p?q") == expected)
    }

    @Test(arguments: [
        ("/a b%20c%2Fd", "http://a/a%20b%20c%2Fd"), ("/é%c3%a9", "http://a/%C3%A9%c3%a9"),
        ("?a[]=1%20&c=%5B", "http://a/x?a%5B%5D=1%20&c=%5B"),
        ("?s=%2B|^`{}\\\"<>%3D", "http://a/x?s=%2B%7C%5E%60%7B%7D%5C%22%3C%3E%3D"),
        ("#a b%20", "http://a/x#a%20b%20"), ("#a#b%23", "http://a/x#a%23b%23"),
        ("http://u%40v:p%3Aq w@a/", "http://u%40v:p%3Aq%20w@a/"),
        ("http://bücher.test/é%20", "http://xn--bcher-kva.test/%C3%A9%20"),
        ("mailto:a b%20@c", "mailto:a%20b%20@c"), ("urn:a:%41/../b", "urn:a:%41/../b"),
    ])
    func `escapes are kept beside characters that are percent-encoded`(
        reference: String, expected: String
    ) {
        #expect(Self.resolve(reference, "http://a/x") == expected)
    }

    // `URL` holds no percent sign outside of escapes.
    @Test(arguments: [
        ("/100%", "http://a/100%25"), ("/100%/%2F", "http://a/100%25/%2F"),
        ("/%2", "http://a/%252"), ("?%zz%20", "http://a/x?%25zz%20"), ("/%%41", "http://a/%25%41"),
    ])
    func `a percent sign that begins no escape is percent-encoded`(
        reference: String, expected: String
    ) {
        #expect(Self.resolve(reference, "http://a/x") == expected)
    }

    // WHATWG URL, section 4.4: a single-dot segment is "." or "%2e", in either case.
    @Test(arguments: [
        ("%2e%2E/b", "http://a/b"), ("/x/%2e/b%2e", "http://a/x/b%2e"), (".%2e", "http://a/"),
        ("/%2e%2e%2e", "http://a/%2e%2e%2e"), ("/a//../b", "http://a/a/b"),
        ("/a//", "http://a/a//"),
    ])
    func `percent-encoded dot segments are resolved, and empty segments are kept`(
        reference: String, expected: String
    ) {
        #expect(Self.resolve(reference, "http://a/x/y") == expected)
    }

    @Test func `a path without a host does not become a host`() {
        let found = URLReference.resolve("http:/..//b.test/", relativeTo: url("http://a/"))
        #expect(found != nil && found?.host == nil)
    }

    @Test func `no escape of a random reference changes`() {
        let pieces = [
            "%20": "%20", "%2F": "%2F", "%c3": "%c3", " ": "%20", "[": "%5B", "é": "%C3%A9",
            "|": "%7C", "\\": "%5C", "\u{301}": "%CC%81", "/": "/", "=": "=", "a": "a",
        ]
        var random = SeededGenerator()
        for _ in 0..<2000 {
            let text = (0..<8).map { _ in pieces.keys.sorted().randomElement(using: &random) ?? "" }
            let expected = text.map { pieces[$0] ?? "" }.joined()
            for start in ["/x", "/x?", "/x#"] {
                let found = Self.resolve(start + text.joined() + "a", "http://a/x")
                #expect(found == "http://a\(start)\(expected)a")
            }
        }
    }
}

/// The URL tests of web-platform-tests, url/resources/urltestdata.json: the cases whose result is
/// an http or https URL.
@Suite struct WHATWGTests {
    private struct Case: Decodable {
        let input, base, href: String
    }

    @Test func `a reference resolves as the WHATWG standard says, with the characters of RFC 3986`()
        throws
    {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../URLs/urltestdata.json").standardizedFileURL
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
        #expect(cases.count == 229)
        let equal = cases.filter { !Self.differs($0.input) }
        #expect(equal.count == 189)
        for each in equal {
            let found = URLReference.resolve(each.input, relativeTo: url(each.base))
            let address = Self.parts(found?.absoluteString ?? "")
            let expected = Self.parts(each.href)
            #expect(address.scheme == expected.scheme, "\(each)")
            #expect(address.rest == Self.encoded(expected.rest), "\(each)")
        }
    }

    /// Whether browsers read `reference` otherwise than RFC 3986, or refuse fewer hosts than
    /// Foundation.
    private static func differs(_ reference: String) -> Bool {
        // A slash in browsers. RFC 3986 excludes it, so it is percent-encoded.
        reference.contains("\\")
            // Browsers add or remove slashes before the host. In RFC 3986 there is no host.
            || reference.range(
                of: "^\\s*(https?:(?!//[^/])|///)", options: .regularExpression) != nil
            // The host has quotes and braces.
            || reference.hasPrefix("http://!\"$&'()*+,-.;=_`{}~/")
    }

    /// The scheme, and everything after the host and the port. These are not compared: HTTP
    /// libraries convert a host to its canonical form, and omit a default port.
    private static func parts(_ address: String) -> (scheme: String, rest: String) {
        let bytes = Array(address.utf8)
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        let rest = bytes.dropFirst(scheme.count + 3).drop { !"/?#".utf8.contains($0) }
        let slash = rest.first == UInt8(ascii: "/") ? "" : "/"
        return (
            String(decoding: scheme, as: UTF8.self).lowercased(),
            slash + String(decoding: rest, as: UTF8.self)
        )
    }

    /// Percent-encodes characters that RFC 3986 excludes and browsers send, and decodes the quote
    /// in a query, which RFC 3986 allows.
    private static func encoded(_ text: String) -> String {
        var encoded = text.replacingOccurrences(
            of: "%(?![0-9A-Fa-f]{2})", with: "%25", options: .regularExpression)
        for (character, escape) in [
            ("[", "%5B"), ("]", "%5D"), ("^", "%5E"), ("`", "%60"), ("{", "%7B"), ("|", "%7C"),
            ("}", "%7D"),
        ] {
            encoded = encoded.replacingOccurrences(of: character, with: escape)
        }
        encoded = encoded.replacingOccurrences(of: "%27", with: "'")
        guard let first = encoded.firstIndex(of: "#") else { return encoded }
        let fragment = encoded[encoded.index(after: first)...]
        return encoded[...first] + fragment.replacingOccurrences(of: "#", with: "%23")
    }
}
