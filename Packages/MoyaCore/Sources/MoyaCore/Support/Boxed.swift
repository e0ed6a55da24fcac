/// Copy-on-write storage for a large value: one reference in size, shared between copies until one
/// of them is changed.
struct Boxed<Value: Sendable>: Sendable {
    final class Storage: @unchecked Sendable {
        // Safe: a holder changes the value only while its reference is unique (see `own()`), and
        // the value is Sendable. For that reason run-time exclusivity checks are disabled.
        @exclusivity(unchecked) var value: Value

        fileprivate init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        _read { yield storage.value }
    }

    /// Returns uniquely referenced storage, for a change.
    ///
    /// Not inlined: otherwise the copied value would enlarge the frame of every `_modify` accessor
    /// that calls it, and the frame would be heap-allocated.
    @inline(never)
    mutating func own() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
        return storage
    }
}
