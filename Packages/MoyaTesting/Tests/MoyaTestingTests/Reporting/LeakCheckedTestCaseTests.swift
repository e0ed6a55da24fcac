#if canImport(XCTest)
    import Foundation
    import MoyaCore
    import MoyaTesting
    import MoyaTestSupport
    import XCTest

    final class LeakCheckedTestCaseTests: LeakCheckedTestCase, @unchecked Sendable {
        // Safe: XCTest runs the methods of a test case one after the other.
        private var expected: [String] = []
        private var found: [String] = []
        private var kept: Task<Void, any Error>?

        override var leakCheck: LeakCheck { LeakCheck(.objects, patience: 0) }

        override func report(_ leaks: [String]) { found = leaks }

        override func invokeTest() {
            super.invokeTest()
            XCTAssertEqual(found, expected)
            kept?.cancel()
        }

        func testLeavesNothing() async throws {
            let provider = StubbedProvider<Shop>()
            LeakCheck.expectRelease(of: provider)
            let response = try await provider.request(.list)
            expectResponse(response, status: 200, text: "[1]")
        }

        func testLeavesASleeper() async throws {
            let clock = TestClock()
            kept = Task { try await clock.sleep(for: 1) }
            try await until { clock.sleeperCount == 1 }
            expected = ["1 still asleep on a TestClock that was not moved"]
        }
    }
#endif
