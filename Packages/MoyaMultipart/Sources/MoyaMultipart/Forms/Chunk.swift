import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Memory that is filled and then becomes a `Data`, without being cleared or copied.
struct Chunk: ~Copyable {
    /// How many bytes are read and handed on at a time.
    static let size = 256 << 10

    let base: UnsafeMutableRawPointer
    let capacity: Int
    var count = 0

    /// - Parameter pool: Where memory for it may be.
    init(capacity: Int, from pool: ChunkPool? = nil) {
        self.capacity = capacity
        let old = capacity == Self.size ? pool?.take() : nil
        base = old ?? .allocate(byteCount: capacity, alignment: 1)
    }

    deinit { base.deallocate() }

    var isFull: Bool { count == capacity }
    var space: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    }

    mutating func append(_ data: Data) {
        data.copyBytes(to: space.bindMemory(to: UInt8.self), count: data.count)
        count += data.count
    }

    /// - Parameter pool: Gets the memory when the bytes are not needed any more.
    consuming func take(givingBackTo pool: ChunkPool? = nil) -> Data {
        let (base, count) = (base, count)
        let pool = capacity == Self.size ? pool : nil
        discard self
        return Data(
            bytesNoCopy: base, count: count,
            deallocator: .custom { pointer, _ in
                if let pool { pool.give(pointer) } else { pointer.deallocate() }
            })
    }
}

/// The memory of chunks that somebody is through with, for the next ones: memory that is new has to be mapped, page by
/// page, which takes as long as a good part of sending it.
final class ChunkPool: @unchecked Sendable {
    // Safe to share: the memory in it is nobody else's, and `free` is behind a lock.
    private let free = Locked<[UnsafeMutableRawPointer]>([])

    deinit {
        for base in free.withLock({ $0 }) { base.deallocate() }
    }

    fileprivate func take() -> UnsafeMutableRawPointer? { free.withLock { $0.popLast() } }

    /// One is filled, one waits and one is sent: more would wait for nothing.
    fileprivate func give(_ base: UnsafeMutableRawPointer) {
        let isKept = free.withLock { free in
            guard free.count < 3 else { return false }
            free.append(base)
            return true
        }
        if !isKept { base.deallocate() }
    }
}
