/// A value that is one word wherever it stands, however large it is: a reference to storage, which holders share until
/// one of them changes it.
struct Boxed<Value: Sendable>: Sendable {
    final class Storage: @unchecked Sendable {
        // Safe: changed by a holder that has it for itself alone (see `own()`), and what it holds is Sendable. That is
        // why accesses are not checked at run time for a change under way.
        @exclusivity(unchecked) var value: Value

        fileprivate init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        _read { yield storage.value }
    }

    /// The storage, for a change: it is not shared.
    ///
    /// Not inlined, as the copy would be a part of the frame of each `_modify` that calls it, and would have it
    /// allocated.
    @inline(never)
    mutating func own() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
        return storage
    }
}
