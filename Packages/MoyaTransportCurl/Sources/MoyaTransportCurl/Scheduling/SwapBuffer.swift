#if CURL
/// A queue that is emptied all at once. Two arrays take turns, so that their storage is reused.
struct SwapBuffer<Element> {
    private var incoming: [Element] = []
    private var spare: [Element] = []

    var isEmpty: Bool { incoming.isEmpty }

    mutating func append(_ element: Element) { incoming.append(element) }

    /// Takes all elements. Pass the array to ``giveBack(_:)`` after use.
    mutating func takeAll() -> [Element] {
        exchange(&incoming, with: exchange(&spare, with: []))
    }

    mutating func giveBack(_ array: consuming [Element]) {
        array.removeAll(keepingCapacity: true)
        spare = array
    }
}
#endif
