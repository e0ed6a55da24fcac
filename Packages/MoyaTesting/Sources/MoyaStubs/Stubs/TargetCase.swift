/// Finds out whether two enum values are of the same case.
enum TargetCase {
    /// Whether `target` is what `makeTarget` makes of some values. Values that are compared by nothing are taken out of
    /// the target and put back: the same case has the same name then.
    static func isCase<Target, each Value>(
        _ target: Target, of makeTarget: (repeat each Value) -> Target
    ) -> Bool {
        guard let child = Mirror(reflecting: target).children.first else { return false }
        // A payload that is a single tuple is told from several values by trying both.
        let parts = Mirror(reflecting: child.value)
        let candidates =
            parts.displayStyle == .tuple
            ? [parts.children.map(\.value), [child.value]] : [[child.value]]
        return candidates.contains { values in
            var rest = values[...]
            func next<Part>(_ type: Part.Type) throws -> Part {
                guard let value = rest.popFirst() as? Part else { throw Mismatch() }
                return value
            }
            guard let made = try? makeTarget(repeat next((each Value).self)), rest.isEmpty else {
                return false
            }
            return Mirror(reflecting: made).children.first?.label == child.label
        }
    }

    private struct Mismatch: Error {}
}
