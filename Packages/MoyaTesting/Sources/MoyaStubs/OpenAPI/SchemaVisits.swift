/// Caches the results of references, so that schemas with many references to each other are checked
/// in reasonable time. Not thread-safe: used by one comparison.
final class SchemaVisits {
    private struct Visit {
        let value: JSONValue
        /// Result. `nil` while the comparison runs.
        var problems: [String]?
    }

    private struct Place: Hashable {
        let reference: String
        let path: String
    }

    private var visits: [Place: Visit] = [:]

    func forget() { visits = [:] }

    /// Returns the result of `compare`, cached by reference, path and value.
    ///
    /// - Parameter again: Called if the reference leads back to itself with the same value.
    func visit(
        _ reference: String, _ value: JSONValue, _ path: String, compare: () -> [String],
        again: () -> [String]
    ) -> [String] {
        let place = Place(reference: reference, path: path)
        // Compares the value too, because a member name with a dot can produce the path of another
        // value.
        if let known = visits[place], known.value == value { return known.problems ?? again() }
        visits[place] = Visit(value: value)
        let problems = compare()
        visits[place] = Visit(value: value, problems: problems)
        return problems
    }
}
