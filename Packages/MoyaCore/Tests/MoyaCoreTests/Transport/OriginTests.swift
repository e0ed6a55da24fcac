import Foundation
@_spi(MoyaInternals) import MoyaCore
import Testing

@Suite struct OriginTests {
    @Test(arguments: [
        ("https://api.example.com/users?a=b#c", "https://api.example.com:443"),
        ("http://api-v2.example.com", "http://api-v2.example.com:80"),
        ("http://a.test?x=http://b.test:1/", "http://a.test:80"),
        ("http://a.test#/:99", "http://a.test:80"),
        ("https://a.test:8443/", "https://a.test:8443"),
        ("http://127.0.0.1:48211/x:1", "http://127.0.0.1:48211"),
        ("http://127.0.0.1:65535/", "http://127.0.0.1:65535"),
        // Parts that are written in another way than in the origin.
        ("HTTPS://API.Example.COM:443/", "https://api.example.com:443"),
        ("https://a.test:0443/", "https://a.test:443"),
        ("http://a.test:/x", "http://a.test:80"),
        ("https://user:pass@a.test/", "https://a.test:443"),
        ("https://user@a.test:8443/", "https://a.test:8443"),
    ])
    func `the origin of a URL is its scheme, host and port`(address: String, origin: String) throws
    {
        let url = try #require(URL(string: address))
        #expect(url.origin == origin)
    }

    @Test func `URLs of an encoded and a decoded host name have one origin`() throws {
        let encoded = try #require(URL(string: "https://xn--bcher-kva.test/"))
        let decoded = try #require(URL(string: "https://b\u{FC}cher.test/"))
        #expect(encoded.origin == decoded.origin)
    }

    @Test func `the origin of a relative URL is that of its base`() throws {
        let base = try #require(URL(string: "https://a.test:8443/x/"))
        let url = try #require(URL(string: "../y", relativeTo: base))
        #expect(url.origin == "https://a.test:8443")
    }
}
