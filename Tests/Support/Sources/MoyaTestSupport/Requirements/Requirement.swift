/// A precondition of a test that not every machine meets: a program, a privilege, a library
/// feature, a setting.
public struct Requirement: Sendable {
    /// Name of the required program, feature or setting, such as "nginx".
    public let name: String
    /// How to meet the requirement: a sentence.
    public let remedy: String
    private let check: @Sendable () async -> Bool

    /// - Parameters:
    ///   - name: Name of the required program, feature or setting, such as "nginx".
    ///   - remedy: How to meet the requirement: a sentence.
    ///   - isMet: Whether this machine meets the requirement. Evaluated once for each test.
    public init(
        _ name: String, remedy: String, isMet: @autoclosure @escaping @Sendable () -> Bool
    ) {
        self.init(name, remedy: remedy) { isMet() }
    }

    /// - Parameters:
    ///   - name: Name of the required program, feature or setting, such as "nginx".
    ///   - remedy: How to meet the requirement: a sentence.
    ///   - check: Returns whether this machine meets the requirement. Called once for each test.
    public init(_ name: String, remedy: String, check: @escaping @Sendable () async -> Bool) {
        (self.name, self.remedy, self.check) = (name, remedy, check)
    }

    /// Whether this machine meets the requirement.
    public var isMet: Bool {
        get async { await check() }
    }
}
