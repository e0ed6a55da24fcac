import Testing

/// Skips tests on machines that do not meet their requirements. The reason names each missing
/// requirement and its remedy.
public struct RequirementTrait: TestTrait, SuiteTrait {
    let requirements: [Requirement]
    let place: SourceLocation

    public var isRecursive: Bool { true }

    public func prepare(for test: Test) async throws {
        guard let reason = await reasonToSkip() else { return }
        try await ConditionTrait.disabled(Comment(rawValue: reason), sourceLocation: place)
            .prepare(for: test)
    }

    /// The missing requirements with their remedies, or `nil` if all requirements are met.
    func reasonToSkip() async -> String? {
        var reasons: [String] = []
        for requirement in requirements where await !requirement.isMet {
            reasons.append("Requires \(requirement.name). \(requirement.remedy)")
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
    }
}

extension Trait where Self == RequirementTrait {
    /// Skips the test, or the suite's tests, unless the machine meets all `requirements`.
    public static func requires(
        _ requirements: Requirement..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        RequirementTrait(requirements: requirements, place: sourceLocation)
    }
}
