import Foundation
import Testing

@testable import MoyaStubs

@Suite struct SeededGeneratorTests {
    @Test(arguments: [("", nil), ("0", 0), ("18446744073709551615", .max)] as [(String, UInt64?)])
    func `A seed is read from text, and empty text names no seed`(
        text: String, seed: UInt64?
    ) throws {
        #expect(try SeededGenerator.seed(from: text) == seed)
    }

    @Test(arguments: ["7x", "-1", " 7", "18446744073709551616"])
    func `Text that is no seed is an error that names the text`(text: String) {
        let error = #expect(throws: SeededGenerator.UnreadableSeed.self) {
            try SeededGenerator.seed(from: text)
        }
        #expect(error?.description.contains("'\(text)'") == true)
    }
}
