#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    @testable import MoyaTransportFoundation

    /// Secure cookies and plain connections (RFC 6265bis, section 5.7, step 12).
    @Suite struct SecureCookieTests {
        /// Returns the values of the stored cookies after `https://www.host.test` has set a secure
        /// cookie `a=0` for the path `/login`, and `address` another cookie.
        private func values(after field: String, from address: String) throws -> Set<String> {
            let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
            let cookies = SessionCookies(storage: storage)
            let secure = try #require(URL(string: "https://www.host.test/login"))
            cookies.keep("a=0; Path=/login; Secure", from: secure)
            cookies.keep(field, from: try #require(URL(string: address)))
            return Set((storage.cookies ?? []).map(\.value))
        }

        @Test(arguments: [
            ("a=1; Path=/login", "http://www.host.test/"),
            ("a=1; Path=/login/en", "http://www.host.test/"),
            ("a=1; Path=/login", "http://host.test/"),
            ("a=1; Path=/login", "http://a.www.host.test/"),
            ("a=1; Path=/login; Domain=host.test", "http://mail.host.test/"),
        ])
        func `A cookie from plain http that would shadow a secure cookie is refused`(
            field: String, address: String
        ) throws {
            #expect(try values(after: field, from: address) == ["0"])
        }

        @Test(arguments: [
            ("a=1; Path=/", "http://www.host.test/"),
            ("a=1; Path=/loginish", "http://www.host.test/"),
            ("b=1; Path=/login", "http://www.host.test/"),
            ("a=1; Path=/login", "http://other.test/"),
            ("a=1; Path=/login", "http://awww.host.test/"),
        ])
        func `A cookie from plain http is kept if no secure cookie has its name, path and domain`(
            field: String, address: String
        ) throws {
            #expect(try values(after: field, from: address) == ["0", "1"])
        }

        @Test func `A cookie from https replaces a secure cookie`() throws {
            #expect(
                try values(after: "a=1; Path=/login", from: "https://www.host.test/") == ["1"])
        }
    }
#endif
