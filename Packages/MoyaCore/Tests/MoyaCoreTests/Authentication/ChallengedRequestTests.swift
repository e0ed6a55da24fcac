import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ChallengedRequestTests {
    @Test func `metrics of a challenged request include both exchanges`() async throws {
        var request = TransportRequest(URLRequest(url: url("http://host.test")))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        let count = Locked(0)
        let response = try await request.answeringChallenges(DigestNonces()) { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            let head = ResponseHead(
                statusCode: isFirst ? 401 : 200, url: url("http://host.test"),
                fields: [HeaderField(name: "WWW-Authenticate", value: "Basic realm=\"a\"")])
            var response = TransportResponse(head: head)
            response.metrics.firstByte = 0.1
            response.metrics.total = 0.5
            response.metrics.bytesSent = 7
            return response
        }
        #expect(count.withLock { $0 } == 2)
        #expect(response.head.statusCode == 200)
        #expect(response.metrics.firstByte == 0.6)
        #expect(response.metrics.total == 1)
        #expect(response.metrics.bytesSent == 14)
    }
}
