#if CURL
import CMoyaCurl

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
#endif
