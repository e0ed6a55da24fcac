import Foundation
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @Suite struct CookieAttributeTests {
        private func path(ofLength length: Int) throws -> String? {
            let url = try #require(URL(string: "http://host.test/a/b"))
            let path = "/" + String(repeating: "x", count: length - 1)
            return ReceivedCookie("a=1; Path=\(path)", from: url)?.cookie?.path
        }

        @Test func `A cookie attribute of 1,024 bytes is kept and a longer attribute is ignored`()
            throws
        {
            #expect(try path(ofLength: 1024)?.utf8.count == 1024)
            #expect(try path(ofLength: 1025)?.utf8.count != 1025)
        }
    }
#endif
