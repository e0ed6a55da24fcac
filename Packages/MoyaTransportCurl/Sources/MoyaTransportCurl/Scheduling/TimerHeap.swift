#if CURL
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
#endif
