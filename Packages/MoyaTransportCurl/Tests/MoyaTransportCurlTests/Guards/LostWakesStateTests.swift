import Testing

@testable import MoyaTransportCurl

@Suite struct LostWakesStateTests {
    @Test func `waiting requests are looked for a quarter of a second after one began`() {
        var wakes = LostWakes()
        #expect(wakes.due == .max)
        wakes.noteBegin(1000)
        wakes.noteBegin(2000)
        #expect(wakes.due == 250_001_000)
        #expect(wakes.takeDue(250_000_999) == false)
        #expect(wakes.takeDue(250_001_000) == true)
        #expect(wakes.takeDue(500_001_000) == false)
        #expect(wakes.due == .max)
    }

    @Test(arguments: [0, 1, 64])
    func `up to 64 waiting requests are all woken`(count: Int) {
        var wakes = LostWakes()
        for _ in 0..<2 { #expect(wakes.next(of: Array(0..<count)) == Array(0..<count)) }
    }

    @Test func `of more waiting requests, 64 are woken at a time, each in its turn`() {
        var wakes = LostWakes()
        let waiting = Array(0..<100)
        #expect(wakes.next(of: waiting) == Array(0..<64))
        #expect(wakes.next(of: waiting) == Array(64..<100) + Array(0..<28))
        // Fewer wait now.
        #expect(wakes.next(of: Array(0..<70)) == Array(28..<70) + Array(0..<22))
    }
}
