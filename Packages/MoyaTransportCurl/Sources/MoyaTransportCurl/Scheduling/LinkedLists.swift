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
        let node = Node(element: element, previous: list.last, next: none)
        let index: Int
        if firstFree == none {
            index = nodes.count
            nodes.append(node)
        } else {
            index = firstFree
            firstFree = nodes[index].next
            nodes[index] = node
        }
        if list.last == none { list.first = index } else { nodes[list.last].next = index }
        list.last = index
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
        if node.previous == none {
            list.first = node.next
        } else {
            nodes[node.previous].next = node.next
        }
        if node.next == none {
            list.last = node.previous
        } else {
            nodes[node.next].previous = node.previous
        }
        nodes[index] = Node(element: nil, previous: none, next: firstFree)
        firstFree = index
        list.count -= 1
        count -= 1
        if count == 0, nodes.count > Self.mostSpareNodes { (nodes, firstFree) = ([], none) }
        return node.element
    }

    /// The elements of `list`, first to last.
    func elements(of list: List) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(list.count)
        var index = list.first
        while index != none {
            if let element = nodes[index].element { elements.append(element) }
            index = nodes[index].next
        }
        return elements
    }
}

/// Position of an element in ``LinkedLists``, valid until the element is removed.
struct ListPosition: Equatable, Sendable {
    fileprivate let index: Int
}

/// Index that stands for no node.
private let none = -1
#endif
