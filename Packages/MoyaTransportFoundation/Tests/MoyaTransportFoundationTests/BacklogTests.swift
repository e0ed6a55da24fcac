import Foundation
import MoyaTestSupport
import Testing

@testable import MoyaTransportFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct BacklogTests {
    private func append(_ bytes: [UInt8], to backlog: inout Backlog) throws {
        try bytes.withUnsafeBytes { try backlog.append($0) }
    }

    @Test func `backlog bytes leave in order around the end of the ring buffer`() throws {
        var backlog = Backlog(limit: 10, memoryLimit: 0)
        defer { backlog.discard() }
        var (next, expected) = (UInt8(0), UInt8(0))
        for round in 1...200 {
            let count = 1 + round % 5
            let new = (0..<count).map { next &+ UInt8($0) }
            try append(new, to: &backlog)
            next &+= UInt8(count)
            // Sometimes the backlog is emptied; mostly a few bytes remain.
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

    @Test func `backlog bytes in memory leave before bytes in the file`() throws {
        var backlog = Backlog(limit: 8, memoryLimit: 3)
        defer { backlog.discard() }
        for byte in UInt8(1)...5 { try append([byte], to: &backlog) }
        #expect(try backlog.removeFirst(2) == Data([1, 2]))
        // Memory has room again, but the file holds older bytes.
        try append([6, 7], to: &backlog)
        #expect(throws: URLError.self) { try append([8, 9, 10, 11], to: &backlog) }
        #expect(try backlog.removeFirst(8) == Data([3]))
        #expect(try backlog.removeFirst(8) == Data([4, 5, 6, 7]))
        #expect(backlog.isEmpty)
        try append([8, 9, 10], to: &backlog)
        #expect(try backlog.removeFirst(8) == Data([8, 9, 10]))
    }

    @Test func `a backlog refuses bytes beyond its limit`() throws {
        var backlog = Backlog(limit: 4, memoryLimit: 0)
        defer { backlog.discard() }
        try append([1, 2, 3], to: &backlog)
        let error = #expect(throws: URLError.self) { try append([4, 5], to: &backlog) }
        #expect(error?.code == .dataLengthExceedsMaximum)
        try append([4], to: &backlog)
        #expect(try backlog.removeFirst(9) == Data([1, 2, 3, 4]))
        #expect(backlog.isEmpty)
    }

    @Test func `a discarded backlog is empty and takes bytes again`() throws {
        var backlog = Backlog(limit: 4, memoryLimit: 0)
        try append([1, 2, 3, 4], to: &backlog)
        backlog.discard()
        #expect(backlog.isEmpty)
        try append([5], to: &backlog)
        #expect(try backlog.removeFirst(4) == Data([5]))
        backlog.discard()
    }

    // In a child process, because it closes its standard input.
    @Test func `a backlog closes a file that has got descriptor 0`() async {
        await #expect(processExitsWith: .success) {
            // Opens the descriptors of Dispatch's timers, one of which would get 0 otherwise.
            try await Task.sleep(for: .milliseconds(1))
            var backlog = Backlog(limit: 4, memoryLimit: 0)
            backlog.discard()
            // It has opened no file, so it closes none.
            #expect(fcntl(0, F_GETFD) != -1)
            close(0)
            // Another thread may use the descriptor briefly.
            try await until(within: 10) {
                try [1 as UInt8].withUnsafeBytes { try backlog.append($0) }
                backlog.discard()
                return fcntl(0, F_GETFD) == -1
            }
        }
    }
}
