import Foundation
import MoyaCore
import MoyaTesting
import MoyaTestSupport
import Testing

@Suite(.seeded) struct WebLinkTests {
    private func response(_ values: String..., at address: String = "http://h.test/a/b") -> Response
    {
        let head = HTTPURLResponse(
            url: url(address), statusCode: 200, httpVersion: "HTTP/1.1",
            headerFields: ["Link": values.joined(separator: ", ")])
        return Response(statusCode: 200, data: Data(), response: head)
    }

    // RFC 8288, section 3.5.
    @Test func `the examples of RFC 8288 are parsed`() {
        let first = response(
            #"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#)
        #expect(first.link("previous") == url("http://example.com/TheBook/chapter2"))
        #expect(first.links.first?.parameters["title"] == "previous chapter")

        let root = response(##"</>; rel="http://example.net/foo""##)
        #expect(root.link("http://example.net/foo") == url("http://h.test/"))

        let copyright = response(##"</terms>; rel="copyright"; anchor="#foo""##)
        #expect(copyright.links.first?.anchor == url("http://h.test/a/b#foo"))
        #expect(copyright.link("copyright") == nil)

        let two = response(
            """
            </TheBook/chapter2>; rel="previous"; title*=UTF-8'de'letztes%20Kapitel, \
            </TheBook/chapter4>; rel="next"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel
            """)
        #expect(two.links.map(\.relations) == [["previous"], ["next"]])
        #expect(two.link("NEXT") == url("http://h.test/TheBook/chapter4"))

        let several = response(
            #"<http://example.org/>; rel="start http://example.net/relation/other""#)
        #expect(several.links.first?.relations == ["start", "http://example.net/relation/other"])
    }

    @Test(arguments: [
        (#"<?page=2>;rel=next"#, "http://h.test/a/b?page=2"),
        (#"<c>; REL=Next"#, "http://h.test/a/c"),
        (#"<//x.test/c> ; rel = "next" "#, "http://x.test/c"),
        (#", ,<c>;;rel=next;"#, "http://h.test/a/c"),
        (#"<c>; title="a, <d>; rel=next"; rel=next"#, "http://h.test/a/c"),
        (#"<c>; title="a\"b"; rel="last next""#, "http://h.test/a/c"),
        (#"<x>; rel=prev, <c>; rel=next"#, "http://h.test/a/c"),
        (#"<c,d;e>; rel=next"#, "http://h.test/a/c,d;e"),
        (#"<c>; rel=next; rel=prev"#, "http://h.test/a/c"),
        (#"<c>; rel="next"#, "http://h.test/a/c"),
        (#"<c d%20?p[]=%5B 2>; rel=next"#, "http://h.test/a/c%20d%20?p%5B%5D=%5B%202"),
    ])
    func `link(next) returns the URL of a valid next link`(value: String, expected: String) {
        #expect(response(value).link("next")?.absoluteString == expected)
    }

    @Test(arguments: [
        "", "c; rel=next", "<c; rel=next", "<c>", "<c>; rel=prev; rel=next",
        #"<c>; title="rel=next""#,
        "<c>; relx=next", "<c>, rel=next", #"<c>; rel=next; anchor="/other""#,
    ])
    func `link(next) returns nil without a valid next link`(value: String) {
        #expect(response(value).link("next") == nil)
    }

    @Test func `a response without a head has no links`() {
        #expect(Response(statusCode: 200, data: Data()).links.isEmpty)
    }

    #if os(macOS) || os(Linux)
        /// Prints a line of JSON for each value: targets and relations, in order.
        private static let script = """
            import json, sys
            from requests.utils import parse_header_links
            for value in json.loads(sys.argv[1]):
                links = parse_header_links(value) if value else []
                print(json.dumps([[link["url"], link.get("rel", "")] for link in links]))
            """

        @Test(.requires(.python("requests")))
        func `generated Link fields are parsed like python-requests parses them`()
            async throws
        {
            var random = SeededGenerator()
            let values = (0..<200).map { _ in Self.randomLinks(using: &random) }
            let output = Pipe()
            let argument = String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
            let program = try Python.run(["-c", Self.script, argument], output: output)
            let printed = try await onThread {
                try output.fileHandleForReading.readToEnd() ?? Data()
            }
            #expect(await program.hasSucceeded())
            let lines = String(decoding: printed, as: UTF8.self).split(separator: "\n")
            #expect(lines.count == values.count)
            for (value, line) in zip(values, lines) {
                let expected = try JSONDecoder().decode([[String]].self, from: Data(line.utf8))
                let links = response(value).links.map {
                    [$0.url.absoluteString, $0.parameters["rel"] ?? ""]
                }
                #expect(links == expected, "\(value)")
            }
        }

        private static func randomLinks(using random: inout SeededGenerator) -> String {
            (0..<Int.random(in: 1...4, using: &random)).map { index in
                let page = Int.random(in: 0...999, using: &random)
                var parts = ["<http://h.test/items?page=\(page)&x=\(index)>"]
                let relation = ["next", "prev", "first", "last", "self"].randomElement(
                    using: &random)
                parts.append("rel=\"\(relation ?? "")\"")
                if Bool.random(using: &random) { parts.append("title=\"page \(page)\"") }
                if Bool.random(using: &random) { parts.append("results=\"true\"") }
                return parts.shuffled(using: &random).sorted { a, _ in a.hasPrefix("<") }
                    .joined(separator: Bool.random(using: &random) ? "; " : ";")
            }.joined(separator: Bool.random(using: &random) ? ", " : ",")
        }
    #endif
}
