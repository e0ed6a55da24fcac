#if CURL
/// What is left for later, taken out all at once. Two arrays take turns, so that neither has to grow again.
struct SwapBuffer<Element> {
    private var incoming: [Element] = []
    private var spare: [Element] = []

    var isEmpty: Bool { incoming.isEmpty }

    mutating func append(_ element: Element) { incoming.append(element) }

    /// Everything that was left. To be given to ``giveBack(_:)`` when it is done with.
    mutating func takeAll() -> [Element] {
        let all = incoming
        incoming = spare
        spare = []
        return all
    }

    mutating func giveBack(_ array: consuming [Element]) {
        array.removeAll(keepingCapacity: true)
        spare = array
    }
}
#endif
