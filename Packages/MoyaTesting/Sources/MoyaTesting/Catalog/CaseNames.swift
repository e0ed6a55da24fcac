import MoyaCore

/// Names of enum cases. Known for types that list their cases, and for `CaseIterable` enums.
enum CaseNames {
    /// Returns the label of the associated values, which is the name of the case. `nil` for a case
    /// without associated values, and for a value that is not an enum.
    static func label(of value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum ? mirror.children.first?.label : nil
    }

    /// Returns the cases of `Value` that are missing in `values`. Empty if the cases of `Value` are
    /// not known.
    static func missing<Value>(from values: [Value]) -> [String] {
        var known = Set(values.compactMap(name))
        return allNames(of: Value.self).filter { known.insert($0).inserted }
    }

    private static func allNames<Value>(of type: Value.Type) -> [String] {
        if let type = type as? any ListedTarget.Type { return names(listedBy: type) }
        guard let type = type as? any CaseIterable.Type else { return [] }
        return allNames(of: type)
    }

    private static func names<Target: ListedTarget>(listedBy type: Target.Type) -> [String] {
        type.listedCases.map(\.name)
    }

    private static func allNames<Cases: CaseIterable>(of type: Cases.Type) -> [String] {
        type.allCases.compactMap(name)
    }

    static func name(of value: Any) -> String? {
        guard Mirror(reflecting: value).displayStyle == .enum else { return nil }
        return label(of: value) ?? "\(value)"
    }
}
