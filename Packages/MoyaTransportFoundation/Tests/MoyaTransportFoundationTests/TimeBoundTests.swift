import Foundation
import MoyaCore
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct TimeBoundTests {
    private func nextCheck(timeoutInterval: TimeInterval) throws -> DispatchTime? {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        request.timeoutInterval = timeoutInterval
        return try SessionExchange(TransportRequest(request)).nextCheck()
    }

    @Test func `a new URLRequest has the timeout that counts as the default`() throws {
        let request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        #expect(request.timeoutInterval == URLRequest.defaultTimeoutInterval)
    }

    @Test(arguments: [1e9, 1e9.nextUp, 0, -1, .infinity, .nan] as [TimeInterval])
    func `a timeout that is not positive or at least 1e9 seconds does not bound an exchange`(
        seconds: TimeInterval
    ) throws {
        #expect(try nextCheck(timeoutInterval: seconds) == nil)
        #expect(Deadline(seconds)?.time == nil)
    }

    @Test(arguments: [.leastNonzeroMagnitude, 1, 1e9.nextDown] as [TimeInterval])
    func `a positive timeout of less than 1e9 seconds bounds an exchange`(seconds: TimeInterval)
        throws
    {
        #expect(try nextCheck(timeoutInterval: seconds) != nil)
        #expect(Deadline(seconds) != nil)
    }
}
