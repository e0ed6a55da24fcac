import Foundation
import MoyaInternals
import Testing

@testable import MoyaStubs

@Suite struct SeededGeneratorTests {
    @Test(arguments: [("", nil), ("0", 0), ("18446744073709551615", .max)] as [(String, UInt64?)])
    func `A seed is parsed from text, and an empty text gives no seed`(
        text: String, seed: UInt64?
    ) throws {
        #expect(try SeededGenerator.seed(from: text) == seed)
    }

    @Test(arguments: ["7x", "-1", " 7", "18446744073709551616"])
    func `A text that is not a seed is an error that contains the text`(text: String) {
        let error = #expect(throws: SeededGenerator.UnreadableSeed.self) {
            try SeededGenerator.seed(from: text)
        }
        #expect(error?.description.contains("'\(text)'") == true)
    }

    #if os(macOS) || os(Linux)
        // In a separate process, because a process reads its seed once.
        @Test func `The first use of the process's seed reports an issue if MOYA_SEED is no seed`()
            async
        {
            await #expect(processExitsWith: .success) {
                setenv(SeededGenerator.variable, "7x", 1)
                let messages = Locked<[String]>([])
                IssueReporter.setStandard {
                    IssueReporter { message, _ in messages.withLock { $0.append(message) } }
                }
                var (one, two) = (SeededGenerator(), SeededGenerator())
                #expect(one.next() == two.next())
                let expected = "MOYA_SEED must be a number from 0 to \(UInt64.max), not '7x'."
                #expect(messages.withLock { $0 } == [expected])
            }
        }
    #endif
}
