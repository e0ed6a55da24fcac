import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

/// The pool of easy handles, without libcurl.
@Suite struct HandlePoolTests {
    private final class Handle: PooledHandle {
        var index = 0
        var isSpent = false
        private(set) var clearCount = 0
        func clear() { clearCount += 1 }
    }

    @Test func `the handle that was given back last is reused first, without its last transfer`() {
        var pool = HandlePool<Handle>()
        let handles = [Handle(), Handle()]
        for handle in handles { pool.giveBack(handle) }
        #expect(handles.map(\.clearCount) == [1, 1])
        #expect(pool.takeIdle() === handles[1])
        #expect(pool.takeIdle() === handles[0])
        #expect(pool.idle.isEmpty)
    }

    @Test func `a handle that must not be reused is cleared and not kept`() {
        var pool = HandlePool<Handle>()
        let handle = Handle()
        handle.isSpent = true
        pool.giveBack(handle)
        #expect(handle.clearCount == 1)
        #expect(pool.idle.isEmpty)
    }

    @Test(arguments: 0..<4)
    func `a handle that ends leaves the other handles active and at their own indexes`(ended: Int) {
        var pool = HandlePool<Handle>()
        let handles = (0..<4).map { _ in Handle() }
        for handle in handles { pool.activate(handle) }
        pool.end(handles[ended])
        let left = handles.filter { $0 !== handles[ended] }
        #expect(pool.active.count == 3)
        #expect(left.allSatisfy { pool.active[$0.index] === $0 })
        for handle in left { pool.end(handle) }
        #expect(pool.active.isEmpty)
    }

    @Test func `as many handles stay idle as are active, and at least 256`() {
        var pool = HandlePool<Handle>()
        let handles = (0..<300).map { _ in Handle() }
        for handle in handles { pool.giveBack(handle) }
        #expect(pool.idle.count == 256)
        for _ in 0..<280 { pool.activate(Handle()) }
        for handle in handles { pool.giveBack(handle) }
        #expect(pool.idle.count == 280)
        pool.removeIdle()
        #expect(pool.idle.isEmpty)
        #expect(pool.active.count == 280)
    }
}
