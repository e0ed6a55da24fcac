import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The size of TLS handshakes, without connections. Numbers stand for OpenSSL's contexts.
@Suite struct HandshakeLimitStateTests {
    private func context(_ number: Int) throws -> UnsafeMutableRawPointer {
        try #require(UnsafeMutableRawPointer(bitPattern: number))
    }

    @Test func `a handshake of 256 KiB passes, and one more byte names its socket once`() throws {
        var handshakes = HandshakeLimit()
        let context = try context(1)
        handshakes.begin(context, on: 10)
        for _ in 0..<4 { #expect(handshakes.note(64 << 10, of: context) == nil) }
        #expect(handshakes.note(1, of: context) == 10)
        #expect(handshakes.note(1, of: context) == nil)
    }

    @Test func `handshakes are counted by connection`() throws {
        var handshakes = HandshakeLimit()
        let (first, second) = (try context(1), try context(2))
        handshakes.begin(first, on: 10)
        handshakes.begin(second, on: 11)
        #expect(handshakes.note(200 << 10, of: first) == nil)
        #expect(handshakes.note(200 << 10, of: second) == nil)
        #expect(handshakes.note(100 << 10, of: second) == 11)
        // A later connection whose context has the address of an earlier one.
        handshakes.begin(first, on: 12)
        #expect(handshakes.note(200 << 10, of: first) == nil)
    }

    @Test func `the count of a closed connection is removed`() throws {
        var handshakes = HandshakeLimit()
        let (first, second) = (try context(1), try context(2))
        handshakes.begin(first, on: 10)
        handshakes.begin(second, on: 11)
        handshakes.close(10)
        handshakes.close(12)
        #expect(handshakes.note(.max, of: first) == nil)
        #expect(handshakes.note(300 << 10, of: second) == 11)
    }

    @Test func `a handshake on an unknown socket is not counted`() throws {
        var handshakes = HandshakeLimit()
        let context = try context(1)
        handshakes.begin(context, on: nil)
        #expect(handshakes.note(.max, of: context) == nil)
    }
}
