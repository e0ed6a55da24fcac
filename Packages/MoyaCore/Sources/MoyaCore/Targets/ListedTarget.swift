/// A target type that lists its cases, so that a `TargetCatalog` (MoyaTesting) can check each of
/// them. The macro `@API` of MoyaMacros generates the list.
public protocol ListedTarget: TargetType {
    /// All cases, in declaration order.
    static var listedCases: [ListedCase<Self>] { get }
}

/// A case of a ``ListedTarget``.
public struct ListedCase<Target: TargetType>: Sendable {
    /// The case's name.
    public let name: String
    /// An example target of the case, or `nil` if the case has no example.
    public let example: Target?
    /// The name of the response type, for reports.
    public let response: String
    /// Whether the response has a body. `nil` if the case does not specify it.
    public let hasBody: Bool?
    /// Checks that a response can be decoded as the case's response type. Throws the reason if it
    /// cannot.
    public let check: @Sendable (Response) throws -> Void

    /// Creates a case. Code that `@API` generates calls it.
    public init(
        name: String, example: Target?, response: String, hasBody: Bool?,
        check: @escaping @Sendable (Response) throws -> Void
    ) {
        self.name = name
        self.example = example
        self.response = response
        self.hasBody = hasBody
        self.check = check
    }
}
