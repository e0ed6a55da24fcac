import MoyaTestSupport
import Testing

@testable import MoyaTransportCurl

@Suite struct LinkedListsTests {
    @Test func `elements leave a list in the order in which they were added`() {
        var lists = LinkedLists<Int>()
        var (first, second) = (LinkedLists<Int>.List(), LinkedLists<Int>.List())
        for number in 0..<10 {
            _ =
                number % 2 == 0
                ? lists.append(number, to: &first) : lists.append(number, to: &second)
        }
        #expect(lists.elements(of: first) == [0, 2, 4, 6, 8])
        #expect(lists.elements(of: second) == [1, 3, 5, 7, 9])
        #expect(lists.popFirst(of: &second) == 1)
        #expect(second.count == 4)
        #expect(lists.count == 9)
    }

    @Test(arguments: [[0], [4], [2], [0, 4], [1, 2, 3], [4, 3, 2, 1, 0]])
    func `elements removed from a list leave the order of the remaining elements`(removed: [Int]) {
        var lists = LinkedLists<Int>()
        var list = LinkedLists<Int>.List()
        let positions = (0..<5).map { lists.append($0, to: &list) }
        for number in removed { #expect(lists.remove(positions[number], from: &list) == number) }
        let left = (0..<5).filter { !removed.contains($0) }
        #expect(lists.elements(of: list) == left)
        _ = lists.append(5, to: &list)
        #expect(lists.elements(of: list) == left + [5])
    }
}
