/// Namespace for this library's types, for code that writes `Moya.Method` or `Moya.Response`. Each
/// module adds its public types.
///
/// After `import Moya` this type shadows the module of the same name, so it needs an alias for
/// every public type. `scripts/moya-names` generates the aliases in `Names/Moya+Names.swift` of
/// each module.
public enum Moya {
    /// The library's version, as sent in `User-Agent`.
    public static let version = "1.0.0"
}
