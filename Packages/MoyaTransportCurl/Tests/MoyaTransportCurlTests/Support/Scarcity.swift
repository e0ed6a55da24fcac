import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// Memory for libcurl that runs out when it is told to. For a process of its own, before anybody uses libcurl.
enum Scarcity {
    private struct State {
        var isCounting = false
        var count = 0
        var failing = 0..<0
        var blocks = 0
    }

    private static let state = Locked(State())

    /// How many blocks libcurl has at present.
    static var blocks: Int { state.withLock(\.blocks) }

    static func install() {
        // 3 is CURL_GLOBAL_ALL, which Swift does not see.
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

    /// Has the allocations fail whose numbers, from 0 on, are in `range`.
    static func begin(_ range: Range<Int>) {
        state.withLock { ($0.isCounting, $0.count, $0.failing) = (true, 0, range) }
    }

    /// Has none fail any more. Returns how many there were.
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
