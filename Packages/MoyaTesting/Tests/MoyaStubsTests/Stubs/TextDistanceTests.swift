import Testing

@testable import MoyaStubs

@Suite struct TextDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "a", 1), ("abc", "abc", 0), ("abc", "xyz", 1),
        ("a", "ab", 0.5), ("ab", "a", 0.5), ("abcd", "abxd", 0.25), ("abcd", "bcd", 0.25),
    ])
    func `The distance of two texts counts inserted, removed and replaced characters`(
        text: String, other: String, distance: Double
    ) {
        #expect(text.distance(to: other) == distance)
    }
}
