#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTransportFoundation
    import Testing

    /// Storing and sending of cookies (RFC 6265bis, sections 5.6 to 5.8).
    @Suite struct CookieTests {
        /// Returns the `Cookie` field of a request to `path`, sent after a response to `/set/it`
        /// with `fields`. Over plain http.
        private func sent(
            after fields: [String], to path: String = "/set/next", kept: [HTTPCookie] = []
        ) async throws -> String? {
            let server = try MockServer { request in
                guard request.path == "/set/it" else { return .text("") }
                return fields.reduce(MockResponse.text("")) { $0.adding("Set-Cookie", $1) }
            }
            defer { server.stop() }
            var configuration = FoundationTransport.Configuration()
            let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
            for cookie in kept { storage.setCookie(cookie) }
            configuration.cookies = storage
            let transport = try FoundationTransport(configuration: configuration)
            for path in ["/set/it", path] {
                let url = try #require(URL(string: server.url.absoluteString + path))
                _ = try await transport.send(TransportRequest(URLRequest(url: url)))
            }
            return server.requests.last?.value(for: "Cookie")
        }

        private func cookie(_ properties: [HTTPCookiePropertyKey: Any]) throws -> HTTPCookie {
            let usual: [HTTPCookiePropertyKey: Any] = [
                .name: "a", .value: "0", .path: "/", .domain: "127.0.0.1",
            ]
            return try #require(HTTPCookie(properties: usual.merging(properties) { $1 }))
        }

        @Test(arguments: [
            "a=1", "a=1; Path=/", "a=1; Path=/set", "a = 1 ;Path=/", "a=1; Max-Age=60",
            "a=1; Expires=Wed, 21 Oct 2093 07:28:00 GMT",
            "a=1; Expires=Wed, 21-Oct-2093 07:28:00 GMT",
            "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Max-Age=60", "a=1; Max-Age=x",
            "a=1; Expires=never", "a=1; Domain=127.0.0.1", "a=1; Domain=", "a=1; SameSite=Strict",
            "a=1; HttpOnly", "a=1; Path=nowhere", "a=2; Path=/, a=1; Path=/",
        ])
        func `A well-formed cookie is kept and sent`(field: String) async throws {
            #expect(try await sent(after: [field]) == "a=1")
        }

        @Test(arguments: [
            "a=1; Max-Age=0", "a=1; Max-Age=-9", "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT",
            "a=1; Expires=Wed, 21 Oct 2093 07:28:00 GMT; Max-Age=0",
            // A host that is an IP address may not name another domain.
            "a=1; Domain=1", "a=1; Domain=.0.0.1", "a=1; Domain=0.0.1", "a=1; Domain=other.test",
            "__Host-a=1; Path=/", "__Secure-a=1; Path=/", "__host-a=1; Path=/", "a=1; Secure",
            "=__Secure-a=1", "=__Host-a=1", "=", ";", "a=1\u{1}", "a\u{7F}=1", "a=1; Path=/\u{2}",
            "a=1; Path=/other",
        ])
        func `A cookie that has expired or may not be set is not sent`(field: String) async throws {
            #expect(try await sent(after: [field]) == nil)
        }

        @Test func `A cookie of more than 4096 bytes is not kept`() async throws {
            let longest = "a=" + String(repeating: "x", count: 4095)
            #expect(try await sent(after: [longest]) == longest)
            #expect(try await sent(after: [longest + "x"]) == nil)
            #expect(try await sent(after: ["a=" + String(repeating: "x", count: 100_000)]) == nil)
        }

        @Test(arguments: [
            "a=; Max-Age=0; Path=/", "a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        ])
        func `An expiring cookie deletes the stored cookie of its name`(field: String) async throws
        {
            #expect(
                try await sent(after: ["b=2; Path=/"], kept: [cookie([:])]).map(sorted)
                    == "a=0; b=2")
            #expect(try await sent(after: [field, "b=2"], kept: [cookie([:])]) == "b=2")
        }

        private func sorted(_ field: String) -> String {
            field.components(separatedBy: "; ").sorted().joined(separator: "; ")
        }

        @Test func `All cookies of one response are kept, with and without an Expires date`()
            async throws
        {
            let field = try await sent(after: [
                "a=1; Expires=Wed, 21 Oct 2093 07:28:00 GMT", "b=2; Path=/", "c=3",
            ])
            #expect(field.map(sorted) == "a=1; b=2; c=3")
        }

        // URLSession joins fields with commas, which a value may contain too.
        @Test func `A cookie whose value looks like a second cookie is stored as two cookies`()
            async throws
        {
            #expect(try await sent(after: ["a=1, b=2"]).map(sorted) == "a=1; b=2")
            #expect(try await sent(after: ["a=1, 2"]) == "a=1, 2")
        }

        // RFC 6265bis, section 5.7, step 12: a plain connection must not overwrite a secure cookie.
        @Test func `A cookie from plain http does not replace a secure cookie`() async throws {
            let secure = try cookie([.secure: "TRUE"])
            #expect(try await sent(after: ["a=1; Path=/"], kept: [secure]) == nil)
        }

        // The caller may store such cookies.
        @Test(arguments: ["\r\nX-Injected: 1", "\u{1}", "\u{8}", "\u{A}", "\u{1F}", "\u{7F}"])
        func `A stored cookie with a line break or another control character is not sent`(
            text: String
        ) async throws {
            for split in [
                try cookie([.name: "b", .value: "0\(text)"]),
                try cookie([.name: "b\(text)", .value: "0"]),
            ] {
                #expect(try await sent(after: ["a=1; Path=/"], kept: [split]) == "a=1")
            }
        }

        @Test func `A stored cookie with a tab, a space and a tilde is sent`() async throws {
            let stored = try cookie([.name: "b", .value: "0\t1 ~"])
            #expect(try await sent(after: [], kept: [stored]) == "b=0\t1 ~")
        }

        @Test func `A session that accepts no cookies stores none`() async throws {
            let server = try MockServer { _ in .text("").adding("Set-Cookie", "a=1") }
            defer { server.stop() }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieAcceptPolicy = .never
            let session = Session(configuration: configuration)
            _ = try await session.send(TransportRequest(URLRequest(url: server.url)))
            #expect(configuration.httpCookieStorage?.cookies?.isEmpty == true)
        }
    }
#endif
