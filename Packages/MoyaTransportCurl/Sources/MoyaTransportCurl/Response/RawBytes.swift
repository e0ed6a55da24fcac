#if CURL
import Foundation

/// A growing block of bytes. The owner has to deallocate it.
struct RawBytes {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    mutating func removeAll() { count = 0 }

    /// Appends `more`. `false` if there is no memory.
    mutating func append(_ more: UnsafeRawBufferPointer, guess: Int = 256) -> Bool {
        guard let source = more.baseAddress, !more.isEmpty else { return true }
        let needed = count + more.count
        if needed > capacity {
            let wanted = max(needed, guess, capacity * 2)
            guard let grown = realloc(base, wanted) else { return false }
            (base, capacity) = (grown, wanted)
        }
        base?.advanced(by: count).copyMemory(from: source, byteCount: more.count)
        count = needed
        return true
    }

    mutating func append(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Transfers the block to `Data`, which frees it.
    mutating func takeData() -> Data {
        guard let base else { return Data() }
        defer { (self.base, count, capacity) = (nil, 0, 0) }
        // A block that grew by doubling may be half empty. Shrinking it rarely moves it.
        let isRoomy = capacity - count > max(4096, count / 8)
        let fitting = isRoomy ? realloc(base, max(1, count)) ?? base : base
        return Data(bytesNoCopy: fitting, count: count, deallocator: .free)
    }

    mutating func deallocate() {
        free(base)
        (base, count, capacity) = (nil, 0, 0)
    }
}
#endif
