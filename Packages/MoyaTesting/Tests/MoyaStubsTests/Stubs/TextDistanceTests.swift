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

    @Test func `The distance of two texts compares their first 200 characters`() {
        let start = String(repeating: "x", count: 199)
        #expect((start + "a").distance(to: start + "b") == 0.005)
        #expect((start + "xa").distance(to: start + "xb") == 0)
        #expect((start + "xa").distance(to: start + "x") == 0)
        #expect((start + "x").distance(to: start + "xb") == 0)
    }
}
