#if CURL
import CMoyaCurl
import Foundation

/// The header fields of a request as a `curl_slist`, in memory that is reused.
///
/// `curl_slist_append` allocates twice for each field.
struct HeaderList {
    private var text = RawBytes()
    private var starts: [Int] = []
    private var nodes: UnsafeMutablePointer<curl_slist>?
    private var nodeCapacity = 0
    /// Length of the lines, in bytes.
    var byteCount: Int { text.count }
    /// Whether there was memory for every line.
    private(set) var isWhole = true

    mutating func removeAll() {
        text.removeAll()
        starts.removeAll(keepingCapacity: true)
        isWhole = true
    }

    /// Appends a line made of these parts.
    mutating func append(_ name: String, _ separator: StaticString = "", _ value: String = "") {
        starts.append(text.count)
        let middle = UnsafeRawBufferPointer(
            start: separator.utf8Start, count: separator.utf8CodeUnitCount)
        isWhole =
            isWhole && text.append(name) && text.append(middle) && text.append(value)
            && text.append("\0")
    }

    /// The list, valid until the next change. `nil` if empty.
    mutating func list() -> UnsafeMutablePointer<curl_slist>? {
        guard !starts.isEmpty, let base = text.base else { return nil }
        if starts.count > nodeCapacity {
            nodes?.deallocate()
            nodeCapacity = max(starts.count, 4)
            nodes = .allocate(capacity: nodeCapacity)
        }
        guard let nodes else { return nil }
        for (index, start) in starts.enumerated() {
            let next = index + 1 < starts.count ? nodes + index + 1 : nil
            let line = (base + start).assumingMemoryBound(to: CChar.self)
            (nodes + index).initialize(to: curl_slist(data: line, next: next))
        }
        return nodes
    }

    mutating func deallocate() {
        text.deallocate()
        nodes?.deallocate()
        nodes = nil
        nodeCapacity = 0
    }
}

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
        guard reserve(more.count, guess: guess) else { return false }
        base?.advanced(by: count).copyMemory(from: source, byteCount: more.count)
        count += more.count
        return true
    }

    mutating func append(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    private mutating func reserve(_ more: Int, guess: Int) -> Bool {
        let needed = count + more
        if needed <= capacity { return true }
        let wanted = max(needed, guess, capacity * 2)
        guard let grown = realloc(base, wanted) else { return false }
        base = grown
        capacity = wanted
        return true
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
