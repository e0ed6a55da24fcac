import Foundation
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @Suite struct CookieAttributeTests {
        /// Returns the cookie that a response from `address` sets with a `Set-Cookie` field. `nil`
        /// if the cookie is refused.
        private func cookie(_ field: String, from address: String) throws -> HTTPCookie? {
            let url = try #require(URL(string: address))
            return ReceivedCookie(field, from: url)?.cookie
        }

        private func path(ofLength length: Int) throws -> String? {
            let path = "/" + String(repeating: "x", count: length - 1)
            return try cookie("a=1; Path=\(path)", from: "http://host.test/a/b")?.path
        }

        @Test func `A cookie attribute of 1,024 bytes is kept and a longer attribute is ignored`()
            throws
        {
            #expect(try path(ofLength: 1024)?.utf8.count == 1024)
            #expect(try path(ofLength: 1025)?.utf8.count != 1025)
        }

        // RFC 6265, sections 5.1.4 and 5.2.4.
        @Test(arguments: [
            ("", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"),
            ("/a/b/c", "/a/b"), ("/a%2Fb/c", "/a%2Fb"), ("/a?b=/c/d", "/"),
        ])
        func `A cookie without a valid Path gets the directory of the request's path`(
            path: String, expected: String
        ) throws {
            for field in ["a=1", "a=1; Path=", "a=1; Path=b"] {
                let received = try cookie(field, from: "http://host.test\(path)")
                #expect(received?.path == expected)
            }
        }

        @Test func `A cookie without a Path gets the directory of a relative URL's whole path`()
            throws
        {
            let base = try #require(URL(string: "http://host.test/a/"))
            let url = try #require(URL(string: "b/c", relativeTo: base))
            #expect(ReceivedCookie("a=1", from: url)?.cookie?.path == "/a/b")
        }

        private static let controls = (UInt8.min..<0x20).filter { $0 != 0x09 } + [0x7F]

        // RFC 6265bis, section 5.6: control characters except for the tab.
        @Test(arguments: controls)
        func `A cookie with a control character other than a tab is refused`(code: UInt8) throws {
            let control = Character(Unicode.Scalar(code))
            for field in ["a=1\(control)2", "a\(control)=1", "a=1; Path=/\(control)"] {
                #expect(try cookie(field, from: "http://host.test/") == nil)
            }
        }

        @Test func `A cookie's value may contain tabs, spaces and tildes`() throws {
            #expect(try cookie("a=1\t2 ~", from: "http://host.test/")?.value == "1\t2 ~")
        }

        // RFC 6265, sections 5.1.3 and 5.2.3. A leading dot makes HTTPCookieStorage match
        // subdomains.
        @Test(
            arguments: [
                ("", "www.host.test"), ("; Domain=", "www.host.test"),
                ("; Domain=host.test", ".host.test"), ("; Domain=.Host.TEST", ".host.test"),
                ("; Domain=www.host.test", ".www.host.test"), ("; Domain=test", nil),
                ("; Domain=ost.test", nil), ("; Domain=a.www.host.test", nil),
                ("; Domain=other.test", nil),
            ] as [(String, String?)])
        func `A cookie's Domain has to be the response's host or a domain above it`(
            attribute: String, domain: String?
        ) throws {
            let received = try cookie("a=1\(attribute)", from: "http://www.host.test/")
            #expect(received?.domain == domain)
        }

        // RFC 6265bis, section 4.1.3.
        @Test(arguments: [
            ("__Secure-a=1; Secure", true), ("__Secure-a=1", false), ("__secure-a=1", false),
            ("__Host-a=1; Secure; Path=/", true), ("__host-a=1; Secure; Path=/", true),
            ("__Host-a=1; Path=/", false), ("__Host-a=1; Secure", false),
            ("__Host-a=1; Secure; Path=/b", false),
            ("__Host-a=1; Secure; Path=/; Domain=host.test", false), ("__Hosts=1", true),
        ])
        func `A cookie with a name prefix is kept only with the prefix's attributes`(
            field: String, isKept: Bool
        ) throws {
            let received = try cookie(field, from: "https://host.test/b/c")
            #expect((received != nil) == isKept)
        }

        @Test func `A cookie is Secure and HttpOnly only with these attributes`() throws {
            let plain = try cookie("a=1", from: "https://host.test/")
            #expect(plain?.isSecure == false)
            #expect(plain?.isHTTPOnly == false)
            let strict = try cookie("a=1; secure; HTTPONLY", from: "https://host.test/")
            #expect(strict?.isSecure == true)
            #expect(strict?.isHTTPOnly == true)
        }

        // RFC 6265bis, sections 5.6.2 and 5.7. A Max-Age that is not a number is ignored.
        @Test(arguments: [
            "Max-Age=60", "Max-Age=9; Max-Age=60", "Max-Age=60; Max-Age=x", "Max-Age=60; Max-Age=",
            "Max-Age=60; Expires=Wed, 21 Oct 2093 07:28:00 GMT",
        ])
        func `A cookie with a Max-Age of 60 expires 60 seconds after it was received`(
            attributes: String
        ) throws {
            let before = Date()
            let received = try cookie("a=1; \(attributes)", from: "http://host.test/")
            let expiry = try #require(received?.expiresDate)
            #expect((before + 60...Date() + 60).contains(expiry))
        }
    }
#endif
