import MoyaStubs

/// What has been found where a reference led, so that schemas that lead to each other many times take no time.
/// On the thread of one comparison.
final class SchemaVisits {
    private struct Visit {
        let value: JSONValue
        /// `nil` while it is under way.
        var problems: [String]?
    }

    private struct Place: Hashable {
        let reference: String
        let path: String
    }

    private var visits: [Place: Visit] = [:]

    func forget() { visits = [:] }

    /// What `compare` finds the first time, or found then.
    ///
    /// - Parameter again: What is said of a reference that leads back to itself with the same value.
    func visit(
        _ reference: String, _ value: JSONValue, _ path: String, compare: () -> [String],
        again: () -> [String]
    ) -> [String] {
        let place = Place(reference: reference, path: path)
        // A name with a dot in it makes the path of another value.
        if let known = visits[place], known.value == value { return known.problems ?? again() }
        visits[place] = Visit(value: value)
        let problems = compare()
        visits[place] = Visit(value: value, problems: problems)
        return problems
    }
}
