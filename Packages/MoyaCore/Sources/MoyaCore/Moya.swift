/// This library's types under the prefix `Moya.`, for code that writes `Moya.Method` or `Moya.Response`. Other modules
/// add theirs.
///
/// Under `import Moya` this type hides the module of the same name, so it needs every public type:
/// `scripts/moya-names` writes them to `Names/Moya+Names.swift` of each module.
public enum Moya {
    /// The version of this library, as in `User-Agent`.
    public static let version = "1.0.0"
}
