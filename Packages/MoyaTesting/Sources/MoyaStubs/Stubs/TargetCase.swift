/// Compares enum cases, ignoring associated values.
enum TargetCase {
    /// Whether `target` is the case that `makeTarget` constructs. Extracts the associated values of
    /// `target` with `Mirror`, passes them to `makeTarget` and compares the names of both cases:
    /// the values need not be `Equatable`.
    static func isCase<Target, each Value>(
        _ target: Target, of makeTarget: (repeat each Value) -> Target
    ) -> Bool {
        guard let child = Mirror(reflecting: target).children.first else { return false }
        // A single associated tuple looks like several associated values: try both.
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
