import Foundation
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
}
