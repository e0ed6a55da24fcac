import Foundation
import Testing

@testable import MoyaTestSupport

struct RequirementTests {
    private static let met = Requirement("sand", remedy: "Go to the beach.", isMet: true)
    private static let missing = Requirement("snow", remedy: "Wait for winter.", isMet: false)

    @Test func `The reason to skip a test names each missing requirement and its remedy`() async {
        let trait: RequirementTrait = .requires(Self.met, Self.missing, .program("no-such-program"))
        #expect(
            await trait.reasonToSkip()
                == """
                Requires snow. Wait for winter.
                Requires no-such-program. Run scripts/bootstrap --tests.
                """
        )
    }

    @Test func `A test whose requirements are met has no reason to be skipped`() async {
        let trait: RequirementTrait = .requires(Self.met)
        #expect(await trait.reasonToSkip() == nil)
    }

    @Test(arguments: ["", nil] as [String?])
    func `An environment variable that is empty or absent is a missing requirement`(
        value: String?
    ) async {
        let name = "MOYA_\(value == nil ? "ABSENT" : "EMPTY")"
        if let value { setenv(name, value, 1) }
        #expect(await !Requirement.environment(name).isMet)
    }

    @Test func `An environment variable with another value than the required one is missing`() async
    {
        setenv("MOYA_OTHER", "2", 1)
        #expect(await Requirement.environment("MOYA_OTHER").isMet)
        #expect(await Requirement.environment("MOYA_OTHER", "2").isMet)
        #expect(await !Requirement.environment("MOYA_OTHER", "1").isMet)
    }
}
