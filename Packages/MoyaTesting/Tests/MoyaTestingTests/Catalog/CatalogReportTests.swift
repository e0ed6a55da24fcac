import Foundation
import MoyaCore
import MoyaTestSupport
import Testing

@testable import MoyaTesting

@Suite struct CatalogReportTests {
    private var report: CatalogReport {
        TargetCatalog<Forum> {
            Forum.posts.expecting([Post].self)
            Forum.post(1).expecting(Post.self)
            Forum.secret
        }
        .covering(Forum.Name.self, by: \.name).check()
    }

    @Test func `the report's table has a line for each target and each finding`() {
        let lines = report.table.split(separator: "\n").map(String.init)
        #expect(lines[0] == "Forum, offline")
        #expect(
            lines[2...4] == [
                "✓  a target  GET     https://forum.test/v1/posts                    Array<Post>     200     26",
                "✗  a target  GET     https://forum.test/v1/posts/1                  Post            200     28",
                "✗  a target  GET     https://forum.test/v1/secret?access_token=***  anything        200      0",
            ])
        #expect(lines.contains { $0.hasPrefix("✗ [coverage] Forum.search: ") })
        #expect(
            lines.contains(
                "✗ [sample] a target: Its sample data does not decode into Post: expected Int at id."
            ))
        #expect(lines.last == "3 targets, 6 problems, 0 warnings.")
    }

    @Test func `the HTML report loads nothing and runs no scripts`() {
        let html = report.html
        #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(html.contains("default-src 'none'; style-src 'unsafe-inline'"))
        for outside in ["<script", "<link", "<img", "src=", "@import", "url("] {
            #expect(!html.contains(outside), "\(outside)")
        }
        #expect(html.contains("prefers-color-scheme: dark"))
        #expect(!html.contains("access_token=abc"))
    }

    @Test func `a target's text is escaped in the report`() {
        struct Nasty: TargetType, CustomStringConvertible {
            var description: String { "<script>alert('1')</script> \"&\u{202E}\u{1B}" }
            var baseURL: URL { URL(string: "https://a.test/") ?? URL(fileURLWithPath: "/") }
            var path: String { "" }
            var method: MoyaCore.Method { MoyaCore.Method(rawValue: "<b>") }
            var task: RequestTask { .requestPlain }
            var headers: [String: String]? { nil }
        }
        let report = TargetCatalog([Nasty()]).check()
        #expect(!report.html.contains("<script"))
        #expect(!report.html.contains("<b><b>"))
        #expect(
            report.html.contains(
                "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &quot;&amp;\u{FFFD}\u{FFFD}"))
        #expect(!report.table.unicodeScalars.contains("\u{1B}"))
        #expect(!report.table.unicodeScalars.contains("\u{202E}"))
    }

    @Test func `every tag of the HTML report is closed`() {
        var open: [String] = []
        let void: Set = ["meta", "input"]
        for tag in report.html.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) {
            let name = String(tag.output.2)
            if tag.output.1.isEmpty {
                if !void.contains(name) { open.append(name) }
            } else {
                #expect(open.popLast() == name)
            }
        }
        #expect(open == [])
    }

    @Test func `the HTML report can be written to a file`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("report.html")
        let report = report
        try report.writeHTML(to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == report.html)
    }
}
