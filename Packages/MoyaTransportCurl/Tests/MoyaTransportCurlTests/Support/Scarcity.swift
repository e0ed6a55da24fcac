import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// An allocator for libcurl whose allocations can be made to fail. For child processes, before
/// libcurl is used.
enum Scarcity {
    private struct State {
        var isCounting = false
        var count = 0
        var failing = 0..<0
        var blocks = 0
    }

    private static let state = Locked(State())

    /// The number of blocks that libcurl has allocated.
    static var blocks: Int { state.withLock(\.blocks) }

    /// Replaces libcurl's allocator.
    static func install() {
        // 3 is CURL_GLOBAL_ALL, a macro that Swift does not import.
        _ = curl_global_init_mem(
            3,
            { size in Scarcity.allocate { malloc(size) } },
            { block in
                if block != nil { Scarcity.state.withLock { $0.blocks -= 1 } }
                free(block)
            },
            { block, size in
                if block == nil { return Scarcity.allocate { malloc(size) } }
                return Scarcity.mayAllocate() ? realloc(block, size) : nil
            },
            { text in
                guard let text else { return nil }
                return Scarcity.allocate { UnsafeMutableRawPointer(strdup(text)) }?
                    .assumingMemoryBound(to: CChar.self)
            },
            { count, size in Scarcity.allocate { calloc(count, size) } })
    }

    /// Makes the allocations whose numbers are in `range` fail, counted from 0.
    static func begin(_ range: Range<Int>) {
        state.withLock { ($0.isCounting, $0.count, $0.failing) = (true, 0, range) }
    }

    /// Ends the failures. Returns the number of allocations since ``begin(_:)``.
    @discardableResult
    static func end() -> Int {
        state.withLock { state in
            state.isCounting = false
            return state.count
        }
    }

    private static func allocate(
        _ make: () -> UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard mayAllocate(), let block = make() else { return nil }
        state.withLock { $0.blocks += 1 }
        return block
    }

    private static func mayAllocate() -> Bool {
        state.withLock { state in
            guard state.isCounting else { return true }
            defer { state.count += 1 }
            return !state.failing.contains(state.count)
        }
    }
}
