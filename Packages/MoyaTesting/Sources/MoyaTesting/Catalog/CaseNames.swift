import MoyaCore

/// The cases of an enum, by name, as far as it lists them or `Mirror` and `CaseIterable` know them.
enum CaseNames {
    /// The label of `value`'s associated values, which is the name of its case. `nil` for a case without any, and where
    /// `value` is no enum.
    static func label(of value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum ? mirror.children.first?.label : nil
    }

    /// The cases of `Value` that `values` lack. Empty where `Value` neither lists its cases nor is a `CaseIterable` enum.
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
