import Foundation
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct BacklogTests {
    private func append(_ bytes: [UInt8], to backlog: inout Backlog) throws {
        try bytes.withUnsafeBytes { try backlog.append($0) }
    }

    @Test func `bytes leave in the order they came, around the end of the ring`() throws {
        var backlog = Backlog(limit: 10)
        defer { backlog.discard() }
        var (next, expected) = (UInt8(0), UInt8(0))
        for round in 1...200 {
            let count = 1 + round % 5
            let new = (0..<count).map { next &+ UInt8($0) }
            try append(new, to: &backlog)
            next &+= UInt8(count)
            // Now and then everything is taken, mostly a little stays.
            let taken = try backlog.removeFirst(round.isMultiple(of: 7) ? 10 : count)
            for byte in taken {
                #expect(byte == expected)
                expected &+= 1
            }
            if round.isMultiple(of: 3) {
                try append([next, next &+ 1], to: &backlog)
                next &+= 2
                #expect(try backlog.removeFirst(2).count == 2)
                expected &+= 2
            }
        }
    }

    @Test func `no more than the limit waits`() throws {
        var backlog = Backlog(limit: 4)
        defer { backlog.discard() }
        try append([1, 2, 3], to: &backlog)
        let error = #expect(throws: URLError.self) { try append([4, 5], to: &backlog) }
        #expect(error?.code == .dataLengthExceedsMaximum)
        try append([4], to: &backlog)
        #expect(try backlog.removeFirst(9) == Data([1, 2, 3, 4]))
        #expect(backlog.isEmpty)
    }

    @Test func `what has been discarded is gone, and there is room again`() throws {
        var backlog = Backlog(limit: 4)
        try append([1, 2, 3, 4], to: &backlog)
        backlog.discard()
        #expect(backlog.isEmpty)
        try append([5], to: &backlog)
        #expect(try backlog.removeFirst(4) == Data([5]))
        backlog.discard()
    }
}
