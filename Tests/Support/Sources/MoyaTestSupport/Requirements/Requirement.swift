/// Something that a test needs and a machine may lack: a program, a privilege, a feature of a library, a setting.
public struct Requirement: Sendable {
    /// What the test needs, such as "nginx".
    public let name: String
    /// How to get it: a sentence.
    public let remedy: String
    private let check: @Sendable () async -> Bool

    /// - Parameters:
    ///   - name: What the test needs, such as "nginx".
    ///   - remedy: How to get it: a sentence.
    ///   - isMet: Whether this machine has it. Called once for each test.
    public init(
        _ name: String, remedy: String, isMet: @autoclosure @escaping @Sendable () -> Bool
    ) {
        self.init(name, remedy: remedy) { isMet() }
    }

    /// - Parameters:
    ///   - name: What the test needs, such as "nginx".
    ///   - remedy: How to get it: a sentence.
    ///   - check: Finds out whether this machine has it. Called once for each test.
    public init(_ name: String, remedy: String, check: @escaping @Sendable () async -> Bool) {
        (self.name, self.remedy, self.check) = (name, remedy, check)
    }

    /// Whether this machine has it.
    public var isMet: Bool {
        get async { await check() }
    }
}
