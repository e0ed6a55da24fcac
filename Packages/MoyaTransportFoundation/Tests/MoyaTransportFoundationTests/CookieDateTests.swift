#if os(Linux)
    import Foundation
    import FoundationNetworking
    import MoyaCore
    import MoyaMockServer
    import MoyaTestSupport
    import MoyaTransportFoundation
    import Testing

    // Oracle: RFC 6265, sections 5.1.1, 5.2.1 and 5.3.
    @Suite struct CookieDateTests {
        /// Returns the stored cookies after a session cookie `a=old` and a response that sets
        /// `a=new` with `attributes`.
        private func stored(after attributes: String) async throws -> [HTTPCookie] {
            let server = try MockServer { request in
                .text("").adding(
                    "Set-Cookie",
                    request.path == "/old" ? "a=old; Path=/" : "a=new; Path=/; \(attributes)")
            }
            defer { server.stop() }
            var configuration = FoundationTransport.Configuration()
            let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
            configuration.cookies = storage
            let transport = try FoundationTransport(configuration: configuration)
            for path in ["/old", "/new"] {
                let url = try #require(URL(string: server.url.absoluteString + path))
                _ = try await transport.send(TransportRequest(URLRequest(url: url)))
            }
            return storage.cookies ?? []
        }

        @Test(arguments: CookieDates.future)
        func `A cookie expires at the date of its Expires attribute`(text: String, date: String?)
            async throws
        {
            let cookies = try await stored(after: "Expires=\(text)")
            #expect(cookies.map(\.value) == ["new"])
            #expect(try cookies.first?.expiresDate == CookieDates.date(date))
        }

        @Test(
            arguments: CookieDates.past.map { "Expires=\($0.text)" } + [
                "Max-Age=0", "Max-Age=-1", "max-age = 0 ", "Max-Age=-99999999999999999999",
            ])
        func `An Expires attribute in the past or a Max-Age below 1 deletes a cookie`(
            attribute: String
        ) async throws {
            #expect(try await stored(after: attribute).isEmpty)
        }

        @Test(arguments: CookieDates.invalid)
        func `A cookie with an invalid Expires attribute is kept as a session cookie`(
            text: String, date: String?
        ) async throws {
            let cookies = try await stored(after: "Expires=\(text)")
            #expect(cookies.map(\.value) == ["new"])
            #expect(cookies.allSatisfy { $0.expiresDate == nil })
        }
    }
#endif
