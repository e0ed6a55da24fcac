import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct CURLDescriptionTests {
    @Test func `cURLDescription writes the whole curl command with secrets masked`() {
        var request = URLRequest(url: url("https://user:pass@h.test/p?token=abc&q=it's"))
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = ["Authorization": "Bearer abc", "Accept": "it's"]
        request.httpBody = Data("a='b'".utf8)
        #expect(
            request.cURLDescription() == """
                curl -v \\
                \t'https://***@h.test/p?token=***&q=it'\\''s' \\
                \t-X 'POST' \\
                \t-H 'Accept: it'\\''s' \\
                \t-H 'Authorization: ***' \\
                \t-H 'Content-Type:' \\
                \t--data-raw 'a='\\''b'\\'''
                """)
    }

    @Test func `cURLDescription without redaction shows secrets`() {
        var request = URLRequest(url: url("https://h.test/?token=abc"))
        request.setValue("Bearer abc", forHTTPHeaderField: "Authorization")
        let command = request.cURLDescription(redaction: .none)
        #expect(command.contains("'Authorization: Bearer abc'"))
        #expect(command.contains("token=abc"))
    }

    @Test func `cURLDescription replaces a binary body over 64 KiB with its size`() {
        var request = URLRequest(url: url("https://h.test/"))
        request.httpBody = Data(repeating: 0xFF, count: 65_537)
        let end = "--data-binary @- # 65537 bytes that are not text"
        #expect(request.cURLDescription().hasSuffix(end))
    }
}

#if os(macOS) || os(Linux)
    /// Runs the command in a shell. The oracle is what curl then sends to a server.
    @Suite struct CURLCommandTests {
        struct Case: CustomTestStringConvertible {
            let testDescription: String
            var method = "POST"
            var target = "/p"
            var fields: [String: String] = [:]
            var body = Data()
        }

        static let cases =
            [
                ("no body", ""), ("an at sign first", "@/etc/passwd"),
                ("a quote before a combining mark", "'\u{301};touch '\u{301}$(touch x)`touch y`"),
                ("a byte order mark", "\u{FEFF}{}"), ("line ends", "a\r\nb\n\n"), ("NUL", "a\0b"),
                ("a percent sign and a backslash", "-%s\\n\0"), ("an exclamation mark", "!! \\"),
                ("2 KiB", String(repeating: "a=b&", count: 512)),
                ("1 MiB", String(repeating: "'\u{301}0123456", count: 100_000)),
            ].map { Case(testDescription: "a body with \($0.0)", body: Data($0.1.utf8)) }
            + [
                Case(testDescription: "a body of all bytes", body: Data((0...255).map { $0 })),
                Case(
                    testDescription: "a Content-Type", fields: ["content-type": "text/plain"],
                    body: Data("a".utf8)),
                Case(
                    testDescription: "odd fields",
                    fields: ["X-Empty": "", "X-Quote": "it's'\u{301}", "X-Percent": "%s \\n @x"]),
                Case(
                    testDescription: "GET with a body", method: "GET", body: Data("{\"a\":1}".utf8)),
                Case(testDescription: "HEAD", method: "HEAD"),
                Case(testDescription: "a lowercase method", method: "get"),
                Case(testDescription: "an unknown method", method: "Query'\u{60}"),
                Case(
                    testDescription: "patterns of curl", target: "/%7Ba/[1-3]?a[]=%7B1,2%7D&b='x'"),
                Case(testDescription: "dot segments", target: "/a/../b/./c?d=/../e"),
            ]

        @Test(arguments: cases)
        func `the curl command of a request sends its method, target, fields and body`(
            _ sent: Case
        ) async throws {
            let folder = try TemporaryFolder()
            let server = try MockServer { _ in MockResponse() }
            var request = URLRequest(
                url: try #require(URL(string: server.url.absoluteString + sent.target)))
            request.httpMethod = sent.method
            request.allHTTPHeaderFields = sent.fields
            request.httpBody = sent.body
            let command = "cd '\(folder.url.path)'\n" + request.cURLDescription(redaction: .none)
            let script = try folder.file("script", Data(command.utf8))

            #expect(try await Program("/bin/sh", [script.path]).hasSucceeded())

            let received = try #require(server.requests.first)
            #expect(received.method == request.httpMethod)
            let address = try #require(request.url).absoluteString
            #expect(address == server.url.absoluteString + received.target)
            #expect(received.bodyLength == sent.body.count)
            #expect(sent.body.count > 1 << 20 || received.body == sent.body)
            var expected = sent.fields
            // Fields of every client.
            for name in ["Host", "User-Agent", "Accept", "Content-Length"] {
                expected[name] = received.value(for: name)
            }
            let fields = received.headers.map { "\($0.name): \($0.value)" }
            #expect(fields.sorted() == expected.map { "\($0): \($1)" }.sorted())
            #expect(folder.names == ["script"])
        }
    }
#endif
