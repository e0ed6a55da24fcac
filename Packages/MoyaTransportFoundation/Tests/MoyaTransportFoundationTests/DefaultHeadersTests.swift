import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaTransportFoundation

@Suite struct DefaultHeadersTests {
    @Test(arguments: [
        ([], ""), (["de"], "de;q=1.0"),
        (["br", "gzip", "deflate"], "br;q=1.0, gzip;q=0.9, deflate;q=0.8"),
        (
            Array(repeating: "x", count: 12),
            "x;q=1.0, x;q=0.9, x;q=0.8, x;q=0.7, x;q=0.6, x;q=0.5, x;q=0.4, x;q=0.3, x;q=0.2, x;q=0.1"
        ),
    ])
    func `preferred values get decreasing quality values above zero`(
        values: [String], expected: String
    ) {
        #expect(DefaultHeaders.preferring(values) == expected)
    }

    @Test(arguments: [
        ("Shop", "Shop"), ("Mein Büro\r\n", "Mein-B-ro--"), ("(x)", "-x-"), ("a/b", "a-b"),
    ])
    func `a program name becomes a token, with invalid characters replaced`(
        name: String, token: String
    ) {
        #expect(DefaultHeaders.token(name) == token)
    }

    @Test func `the user agent names the program, its version, its build and the system`() throws {
        let info = [
            "CFBundleExecutable": "Shop", "CFBundleShortVersionString": "1.2",
            "CFBundleIdentifier": "test.shop", "CFBundleVersion": "7",
        ]
        let system = DefaultHeaders.system
        #expect(
            DefaultHeaders.userAgent(info) == "Shop/1.2 (test.shop; build:7; \(system)) Moya")
        let numbers = system.split(separator: " ").last?.split(separator: ".").compactMap {
            Int($0)
        }
        #expect(numbers?.count == 3)
        #if os(Linux)
            #expect(system.hasPrefix("Linux "))
        #endif
    }

    @Test func `the user agent omits unknown properties of the program`() throws {
        let name = try #require(DefaultHeaders.token(ProcessInfo.processInfo.processName))
        #expect(DefaultHeaders.userAgent(nil) == "\(name) (\(DefaultHeaders.system)) Moya")
    }

    @Test func `the default header fields have Alamofire's format`() {
        let headers = FoundationTransport.defaultHeaders
        let languages = Array(Locale.preferredLanguages.prefix(6))
        #expect(
            headers["Accept-Language"]
                == (languages.isEmpty
                    ? nil
                    : zip(languages, ["1.0", "0.9", "0.8", "0.7", "0.6", "0.5"])
                        .map { "\($0);q=\($1)" }.joined(separator: ", ")))
        #expect(headers["User-Agent"] == DefaultHeaders.userAgent(Bundle.main.infoDictionary))
        #if os(Linux)
            // URLSession sets the field, to the codings that its libcurl can decode.
            #expect(headers["Accept-Encoding"] == nil)
        #else
            #expect(headers["Accept-Encoding"] == "br;q=1.0, gzip;q=0.9, deflate;q=0.8")
        #endif
    }
}
