/// The cases of an enum, by name, as far as `Mirror` and `CaseIterable` know them.
enum CaseNames {
    /// The label of `value`'s associated values, which is the name of its case. `nil` for a case without any, and where
    /// `value` is no enum.
    static func label(of value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum ? mirror.children.first?.label : nil
    }

    /// The cases of `Value` that `values` lack. Empty where `Value` is no `CaseIterable` enum.
    static func missing<Value>(from values: [Value]) -> [String] {
        guard let type = Value.self as? any CaseIterable.Type else { return [] }
        var known = Set(values.compactMap(name))
        return allNames(of: type).filter { known.insert($0).inserted }
    }

    private static func allNames<Cases: CaseIterable>(of type: Cases.Type) -> [String] {
        type.allCases.compactMap(name)
    }

    private static func name(of value: Any) -> String? {
        guard Mirror(reflecting: value).displayStyle == .enum else { return nil }
        return label(of: value) ?? "\(value)"
    }
}
