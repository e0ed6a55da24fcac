import Foundation
import MoyaCore
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The limit on the number of cookies.
@Suite struct CookieLimitTests {
    private func cookies(_ counts: (String, Int)...) throws -> [NetscapeCookie] {
        try counts.flatMap { domain, count in
            try (0..<count).map {
                try #require(NetscapeCookie("\(domain)\tTRUE\t/\tFALSE\t0\tc\($0)\t1"))
            }
        }
    }

    private func names(_ domain: String, in cookies: [NetscapeCookie]) -> [String] {
        cookies.compactMap(\.cookie).filter { $0.domain == domain }.map(\.name)
    }

    @Test func `cookies up to the cookie limit are all kept`() throws {
        let all = try cookies(("a.test", 2999), ("b.test", 1))
        #expect(CookieLimit.apply(to: all).map(\.line) == all.map(\.line))
    }

    @Test func `of a cookie file beyond the limit, the newest cookies that are valid are loaded`() {
        let later = Int(Date().timeIntervalSince1970) + 3600
        func line(_ name: String, _ value: String, expiry: Int = 0) -> String {
            "a.test\tTRUE\t/\tFALSE\t\(expiry)\t\(name)\t\(value)"
        }
        let lines =
            (0..<2998).map { line("c\($0)", "1") } + [line("old", "1", expiry: 1)]
            + [line("c0", "2"), "a.test\tTRUE\t/\tFALSE\t\(later)\tempty", "Set-Cookie: d=1"]
        let kept = CookieLimit.newest(of: lines)
        #expect(
            kept == Array(lines[1..<2998]) + [lines[2999], lines[3000] + "\t", lines[3001]])
        #expect(CookieLimit.newest(of: Array(lines.suffix(3))) == lines.suffix(3))
    }

    @Test func `beyond the cookie limit, the site with the most cookies loses its oldest`() throws {
        let all = try cookies(("a.test", 60), ("x.b.test", 4000), ("#HttpOnly_c.test", 50))
        let kept = CookieLimit.apply(to: all)
        #expect(names("a.test", in: kept).count == 60)
        #expect(names("c.test", in: kept).count == 50)
        #expect(names("x.b.test", in: kept) == (1110..<4000).map { "c\($0)" })
    }

    @Test func `many hosts of one site do not evict another site's cookies`() throws {
        let many = try (0..<4000).map {
            try #require(NetscapeCookie(".h\($0).evil.test\tTRUE\t/\tFALSE\t0\ta\t1"))
        }
        let kept = CookieLimit.apply(to: try cookies(("a.test", 50)) + many)
        #expect(kept.count == 3000)
        #expect(names("a.test", in: kept).count == 50)
    }

    @Test func `hosts below a public suffix do not evict each other's cookies`() throws {
        let all = try cookies(("bank.co.uk", 50), ("shop.co.uk", 4000), ("10.0.0.1", 50))
        let kept = CookieLimit.apply(to: all)
        #expect(kept.count == 3000)
        #expect(names("bank.co.uk", in: kept).count == 50)
        #expect(names("10.0.0.1", in: kept).count == 50)
    }

    @Test func `spellings of a site that differ in case count as one site`() throws {
        let spellings = try (0..<1024).flatMap { number in
            let name = "evilevilev".enumerated().map { index, letter in
                number >> index & 1 == 1 ? letter.uppercased() : String(letter)
            }
            return try cookies((".\(name.joined()).test", 3))
        }
        let kept = CookieLimit.apply(to: try cookies(("a.test", 50)) + spellings)
        #expect(kept.count == 3000)
        #expect(names("a.test", in: kept).count == 50)
    }

    @Test func `with more sites than the cookie limit, some sites keep no cookies`() throws {
        let many = try (0..<4000).map {
            try #require(NetscapeCookie("h\($0).test\tTRUE\t/\tFALSE\t0\ta\t1"))
        }
        #expect(CookieLimit.apply(to: many).count == 3000)
    }

    /// libcurl accepts up to 50 cookies from each response.
    @Test func `cookies from one server are limited and do not evict other cookies`() async throws {
        let server = try MockServer { request in
            (0..<50).reduce(MockResponse()) {
                $0.adding("set-cookie", "c\(request.path.dropFirst())x\($1)=1")
            }
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        let transport = try CurlTransport(configuration: configuration)
        let own = try #require(
            HTTPCookie(properties: [.domain: "a.test", .path: "/", .name: "own", .value: "1"]))
        try await transport.setCookie(own)
        for index in 0..<100 {
            let url = server.url.appendingPathComponent("\(index)")
            _ = try await transport.send(TransportRequest(.patient(url)))
        }
        let kept = try await transport.cookies()
        #expect((2950..<3600).contains(kept.count))
        #expect(kept.contains { $0.name == "own" })
        #expect(kept.contains { $0.name == "c99x49" })
    }

    @Test func `cookies set by the caller are limited`() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.cookies = .memory
        let transport = try CurlTransport(configuration: configuration)
        for index in 0..<5000 {
            let cookie = HTTPCookie(properties: [
                .domain: "a.test", .path: "/", .name: "c\(index)", .value: "1",
            ])
            try await transport.setCookie(#require(cookie))
        }
        let kept = try await transport.cookies()
        #expect((3000..<3600).contains(kept.count))
        #expect(kept.last?.name == "c4999")
    }
}
