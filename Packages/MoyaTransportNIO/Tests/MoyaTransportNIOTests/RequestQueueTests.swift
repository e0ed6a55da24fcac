#if AsyncHTTPClient
    import NIOConcurrencyHelpers
    import Testing

    @testable import MoyaTransportNIO

    @Suite struct RequestQueueTests {
        private let queue = RequestQueue(limit: 2)
        private let admitted = NIOLockedValueBox<[String]>([])

        private func enter(_ name: String, _ host: String = "a") -> RequestQueue.Ticket? {
            queue.enter(host) { [admitted] in admitted.withLockedValue { $0.append(name) } }
        }

        private var names: [String] { admitted.withLockedValue { $0 } }

        @Test func `requests beyond the limit are admitted in order when others leave`() {
            let tickets = ["1", "2", "3", "4"].map { enter($0) }
            #expect(tickets.map { $0 == nil } == [true, true, false, false])
            #expect(names == ["1", "2"])
            queue.leave("a")
            #expect(names == ["1", "2", "3"])
            queue.leave("a")
            #expect(names == ["1", "2", "3", "4"])
        }

        @Test func `each host has a limit of its own`() {
            for name in ["1", "2", "3"] { _ = enter(name) }
            _ = enter("4", "b")
            #expect(names == ["1", "2", "4"])
        }

        @Test func `a removed request is not admitted`() throws {
            for name in ["1", "2"] { _ = enter(name) }
            let third = try #require(enter("3"))
            _ = enter("4")
            #expect(queue.remove(third))
            #expect(!queue.remove(third))
            queue.leave("a")
            #expect(names == ["1", "2", "4"])
        }

        @Test func `an admitted request cannot be removed`() throws {
            for name in ["1", "2"] { _ = enter(name) }
            let third = try #require(enter("3"))
            queue.leave("a")
            #expect(!queue.remove(third))
        }

        @Test func `a host whose requests have left admits requests up to its limit again`() {
            for name in ["1", "2", "3"] { _ = enter(name) }
            for _ in 0..<3 { queue.leave("a") }
            let tickets = ["4", "5", "6"].map { enter($0) }
            #expect(tickets.map { $0 == nil } == [true, true, false])
        }
    }
#endif
