import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTesting
import Testing

@testable import MoyaTransportFoundation

@Suite(.timeLimit(.minutes(3))) struct BodyRelayTests {
    /// Size of a piece, in bytes. The reader's channel has room for a single unread piece.
    private static let piece = 256 << 10

    private static let success = Result<ResponseBodyWriter.Ending, any Error>.success(
        .init(trailers: [], metrics: TransportMetrics()))

    @Test
    func `a relay holds its exchange back while the reader is behind, and passes every byte on`()
        async throws
    {
        let holds = Recorder<Bool>()
        let relay = BodyRelay(limit: 1 << 20, hold: holds.record, stop: {})
        let stream = ResponseBodyStream(relay.open())
        var chunks = stream.makeAsyncIterator()
        for round in 1...2 {
            let pieces = (UInt8(1)...3).map { Data(repeating: $0, count: Self.piece) }
            for piece in pieces { try relay.take(piece) }
            #expect(holds.count == 2 * round - 1)
            var received = Data()
            while received.count < 3 * Self.piece, let chunk = try await chunks.next() {
                received += chunk
            }
            #expect(received == Data(pieces.joined()))
            try await until { holds.count == 2 * round }
        }
        #expect(holds.items == [true, false, true, false])
        relay.finish(Self.success)
        #expect(try await chunks.next() == nil)
    }

    // The relay and its channel retain each other. With two pieces, the relay holds the exchange
    // back.
    @Test(arguments: [1, 2], [true, false])
    func `a relay is released when its body has ended, or when its reader is gone`(
        pieceCount: Int, isRead: Bool
    ) async throws {
        let leaks = try await LeakCheck(.objects, patience: 60).leaks {
            let relay = BodyRelay(limit: 1 << 20, hold: { _ in }, stop: {})
            LeakCheck.expectRelease(of: relay)
            let stream = ResponseBodyStream(relay.open())
            for _ in 0..<pieceCount { try relay.take(Data(count: Self.piece)) }
            guard isRead else { return withExtendedLifetime(stream) {} }
            relay.finish(Self.success)
            let body = try await stream.collect(upTo: 1 << 20)
            #expect(body.count == pieceCount * Self.piece)
        }
        #expect(leaks == [])
    }
}
