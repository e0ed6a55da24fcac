#if AsyncHTTPClient
    /// Binary heap with the least element first.
    struct MinHeap<Element: Comparable> {
        private(set) var elements: [Element] = []

        var first: Element? { elements.first }

        mutating func insert(_ element: Element) {
            elements.append(element)
            var index = elements.count - 1
            while index > 0, elements[index] < elements[(index - 1) / 2] {
                elements.swapAt(index, (index - 1) / 2)
                index = (index - 1) / 2
            }
        }

        mutating func removeFirst() {
            guard let last = elements.popLast(), !elements.isEmpty else { return }
            elements[0] = last
            var index = 0
            while true {
                let children = (2 * index + 1..<2 * index + 3).clamped(to: 0..<elements.count)
                let least = children.min { elements[$0] < elements[$1] }
                guard let least, elements[least] < elements[index] else { return }
                elements.swapAt(index, least)
                index = least
            }
        }

        mutating func removeAll(where isUnwanted: (Element) -> Bool) {
            // A sorted array is a heap.
            elements = elements.filter { !isUnwanted($0) }.sorted()
        }
    }

    extension MinHeap: Sendable where Element: Sendable {}
#endif
