/// A target type that lists its cases by name, so that a catalogue knows them all. `@API` of MoyaMacros writes the list.
public protocol ListedTarget: TargetType {
    /// Every case, in the order of the declaration.
    static var listedCases: [ListedCase<Self>] { get }
}

/// A case of a ``ListedTarget``.
public struct ListedCase<Target: TargetType>: Sendable {
    /// The case's name.
    public let name: String
    /// A target of the case. `nil` where there is no example.
    public let example: Target?
    /// The type of the response, as reports show it.
    public let response: String
    /// Whether the response has a body. `nil` where that is left open.
    public let hasBody: Bool?
    /// Throws why a response is none of that type.
    public let check: @Sendable (Response) throws -> Void

    /// A case by hand.
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
