#if CURL
/// Doubly linked lists in one array. Appending and removing an element take constant time.
struct LinkedLists<Element> {
    /// First and last node of a list.
    struct List {
        fileprivate var first = none
        fileprivate var last = none
        fileprivate(set) var count = 0

        var isEmpty: Bool { count == 0 }
    }

    private struct Node {
        var element: Element?
        var previous: Int
        var next: Int
    }

    /// When the lists become empty, storage for more nodes than this is freed.
    private static var mostSpareNodes: Int { 1024 }

    private var nodes: [Node] = []
    /// The first unused node. Unused nodes are linked by `next`.
    private var firstFree = none
    private(set) var count = 0

    mutating func append(_ element: Element, to list: inout List) -> ListPosition {
        let node = Node(element: element, previous: none, next: none)
        let index: Int
        if firstFree == none {
            index = nodes.count
            nodes.append(node)
        } else {
            index = firstFree
            firstFree = nodes[index].next
            nodes[index] = node
        }
        link(list.last, index, in: &list)
        link(index, none, in: &list)
        list.count += 1
        count += 1
        return ListPosition(index: index)
    }

    func first(of list: List) -> Element? { list.first == none ? nil : nodes[list.first].element }

    mutating func popFirst(of list: inout List) -> Element? {
        list.first == none ? nil : remove(ListPosition(index: list.first), from: &list)
    }

    /// Removes the element at `position`, which has to be in `list`.
    @discardableResult
    mutating func remove(_ position: ListPosition, from list: inout List) -> Element? {
        let index = position.index
        let node = nodes[index]
        link(node.previous, node.next, in: &list)
        nodes[index] = Node(element: nil, previous: none, next: firstFree)
        firstFree = index
        list.count -= 1
        count -= 1
        if count == 0, nodes.count > Self.mostSpareNodes { (nodes, firstFree) = ([], none) }
        return node.element
    }

    /// Makes two nodes neighbours. With no node on one side, the other is an end of the list.
    private mutating func link(_ left: Int, _ right: Int, in list: inout List) {
        if left == none { list.first = right } else { nodes[left].next = right }
        if right == none { list.last = left } else { nodes[right].previous = left }
    }

    /// The elements of `list`, first to last.
    func elements(of list: List) -> [Element] {
        sequence(first: list.first) { nodes[$0].next }.prefix { $0 != none }
            .compactMap { nodes[$0].element }
    }
}

/// Position of an element in ``LinkedLists``, valid until the element is removed.
struct ListPosition: Equatable, Sendable {
    fileprivate let index: Int
}

/// Index that stands for no node.
private let none = -1

/// A priority queue of times: a binary heap whose elements know their index. Adding, moving and
/// removing take logarithmic time. Adding an element that is due last takes constant time.
struct TimerHeap<Element> {
    /// Identifies a timer until it is removed or popped.
    struct Timer: Equatable, Sendable {
        fileprivate let slot: Int
    }

    private struct Entry {
        var time: UInt64
        var slot: Int
    }

    private struct Slot {
        var element: Element?
        /// Index in `heap`. For an unused slot, the next unused slot.
        var place: Int
    }

    /// When no timer is left, storage for more slots than this is freed.
    private static var mostSpareSlots: Int { 1024 }

    private var heap: [Entry] = []
    private var slots: [Slot] = []
    private var firstFree = -1

    var count: Int { heap.count }

    /// When the first element is due. `UInt64.max` if there is none.
    var next: UInt64 { heap.first?.time ?? .max }

    mutating func add(_ element: Element, at time: UInt64) -> Timer {
        let slot: Int
        if firstFree < 0 {
            slot = slots.count
            slots.append(Slot(element: element, place: heap.count))
        } else {
            slot = firstFree
            firstFree = slots[slot].place
            slots[slot] = Slot(element: element, place: heap.count)
        }
        heap.append(Entry(time: time, slot: slot))
        siftUp(heap.count - 1)
        return Timer(slot: slot)
    }

    /// Moves a timer to `time`, if that is earlier.
    mutating func moveForward(_ timer: Timer, to time: UInt64) {
        let place = slots[timer.slot].place
        guard time < heap[place].time else { return }
        heap[place].time = time
        siftUp(place)
    }

    @discardableResult
    mutating func remove(_ timer: Timer) -> Element? {
        let place = slots[timer.slot].place
        let element = slots[timer.slot].element
        slots[timer.slot] = Slot(element: nil, place: firstFree)
        firstFree = timer.slot
        let last = heap.removeLast()
        if place < heap.count {
            put(last, at: place)
            siftUp(place)
            siftDown(slots[last.slot].place)
        }
        if heap.isEmpty, slots.count > Self.mostSpareSlots {
            (heap, slots, firstFree) = ([], [], -1)
        }
        return element
    }

    /// Removes and returns the first element that is due at `now`, or `nil`.
    mutating func popDue(_ now: UInt64) -> Element? {
        guard let first = heap.first, first.time <= now else { return nil }
        return remove(Timer(slot: first.slot))
    }

    // MARK: The heap

    private mutating func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        slots[entry.slot].place = place
    }

    private mutating func siftUp(_ start: Int) {
        var place = start
        let entry = heap[place]
        while place > 0, case let parent = (place - 1) / 2, heap[parent].time > entry.time {
            put(heap[parent], at: place)
            place = parent
        }
        if place != start { put(entry, at: place) }
    }

    private mutating func siftDown(_ start: Int) {
        var place = start
        let entry = heap[place]
        while case let left = 2 * place + 1, left < heap.count {
            let right = left + 1
            let child = right < heap.count && heap[right].time < heap[left].time ? right : left
            guard heap[child].time < entry.time else { break }
            put(heap[child], at: place)
            place = child
        }
        if place != start { put(entry, at: place) }
    }
}

/// A queue that is emptied all at once. Two arrays take turns, so that their storage is reused.
struct SwapBuffer<Element> {
    private var incoming: [Element] = []
    private var spare: [Element] = []

    var isEmpty: Bool { incoming.isEmpty }

    mutating func append(_ element: Element) { incoming.append(element) }

    /// Takes all elements. Pass the array to ``giveBack(_:)`` after use.
    mutating func takeAll() -> [Element] { exchange(&incoming, with: exchange(&spare, with: [])) }

    mutating func giveBack(_ array: consuming [Element]) {
        array.removeAll(keepingCapacity: true)
        spare = array
    }
}
#endif
