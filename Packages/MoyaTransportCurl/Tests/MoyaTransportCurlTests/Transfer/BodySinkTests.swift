import Foundation
import MoyaCore
import Testing

@testable import MoyaTransportCurl

@Suite struct BodySinkTests {
    @Test func `a body in memory is the caller's once its sink has finished`() throws {
        var sink = try BodySink(.memory())
        let bytes = Data(repeating: 7, count: 1 << 20)
        #expect(try bytes.withUnsafeBytes { try sink.write($0, expected: nil) })
        let body = try sink.finish()
        // The end of the attempt discards what its sink still holds.
        sink.discard()
        guard case .data(let data) = body else {
            Issue.record("The body is not in memory.")
            return
        }
        #expect(data == bytes)
    }
}
