import Testing

/// Skips tests on machines that lack what they need, and says what is missing and how to get it.
public struct RequirementTrait: TestTrait, SuiteTrait {
    let requirements: [Requirement]
    let place: SourceLocation

    public var isRecursive: Bool { true }

    public func prepare(for test: Test) async throws {
        guard let reason = await reasonToSkip() else { return }
        try await ConditionTrait.disabled(Comment(rawValue: reason), sourceLocation: place)
            .prepare(for: test)
    }

    /// What is missing, and how to get it. `nil` where nothing is.
    func reasonToSkip() async -> String? {
        var reasons: [String] = []
        for requirement in requirements where await !requirement.isMet {
            reasons.append("Requires \(requirement.name). \(requirement.remedy)")
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
    }
}

extension Trait where Self == RequirementTrait {
    /// Skips the test, or the suite's tests, on a machine that lacks one of `requirements`.
    public static func requires(
        _ requirements: Requirement..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        RequirementTrait(requirements: requirements, place: sourceLocation)
    }
}
