import Foundation

/// Uninitialised memory that is filled and becomes a `Data` without being zeroed or copied.
struct Chunk: ~Copyable {
    /// Default chunk size for reading files and bodies, in bytes.
    static let size = 256 << 10

    let base: UnsafeMutableRawPointer
    let capacity: Int
    var count = 0

    init(capacity: Int) {
        base = .allocate(byteCount: capacity, alignment: 1)
        self.capacity = capacity
    }

    deinit { base.deallocate() }

    var isFull: Bool { count == capacity }
    var space: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    }

    consuming func take() -> Data {
        let (base, count) = (base, count)
        discard self
        return Data(
            bytesNoCopy: base, count: count,
            deallocator: .custom { pointer, _ in pointer.deallocate() })
    }
}
