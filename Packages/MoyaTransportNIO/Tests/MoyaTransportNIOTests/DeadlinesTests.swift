#if AsyncHTTPClient
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOEmbedded
    import Testing

    @testable import MoyaTransportNIO

    @Suite struct DeadlinesTests {
        private let loop = NIOAsyncTestingEventLoop()
        private let deadlines: Deadlines
        private let passed = NIOLockedValueBox<[Int]>([])

        init() { deadlines = Deadlines(on: loop) }

        private func add(_ seconds: Int) -> Deadlines.ID {
            deadlines.add(loop.now + .seconds(Int64(seconds))) { [passed] in
                passed.withLockedValue { $0.append(seconds) }
            }
        }

        @Test func `deadlines pass in order, whatever the order in which they are added`() async {
            for seconds in [7, 3, 9, 1, 8, 2, 6, 4, 5] { _ = add(seconds) }
            await loop.advanceTime(by: .seconds(4))
            #expect(passed.withLockedValue { $0 } == [1, 2, 3, 4])
            await loop.advanceTime(by: .seconds(5))
            #expect(passed.withLockedValue { $0 } == Array(1...9))
        }

        @Test func `cancelled deadlines do not pass, and the others do`() async {
            let ids = (1...500).map { add($0) }
            for (index, id) in ids.enumerated() where index % 100 != 0 { deadlines.cancel(id) }
            await loop.advanceTime(by: .seconds(500))
            #expect(passed.withLockedValue { $0 } == [1, 101, 201, 301, 401])
        }

        @Test func `a deadline that is added after others have passed passes`() async {
            _ = add(1)
            await loop.advanceTime(by: .seconds(2))
            _ = add(3)
            await loop.advanceTime(by: .seconds(3))
            #expect(passed.withLockedValue { $0 } == [1, 3])
        }
    }
#endif
