import Foundation
import MoyaCore
import MoyaInternals
import MoyaMockServer
import Testing

@testable import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Lookups that fail once.
@Suite(.requires(.nginx, .openssl)) struct FailedLookupsTests {
    @Test func `a DNS-over-HTTPS lookup that failed is repeated by the next request`()
        async throws
    {
        let isAway = Locked(true)
        let names = try MockServer { request in
            isAway.withLock { $0 } ? MockResponse(status: 503) : NameServer.answer(request)
        }
        defer { names.stop() }
        let server = try MockServer()
        defer { server.stop() }
        let nginx = try await Nginx(before: names.port, speaksHTTP2: false)
        let transport = try NameServer.transport(asking: nginx) { _ in }
        let url = try #require(URL(string: "http://moya.test:\(server.port)/get"))
        let error = await #expect(throws: URLError.self) {
            try await NameServer.statuses(of: [url], transport)
        }
        #expect(error?.code == .cannotFindHost)
        isAway.withLock { $0 = false }
        #expect(try await NameServer.statuses(of: [url], transport) == [200])
    }
}
