#if canImport(XCTest)
    import Foundation
    import MoyaStubs
    import XCTest

    /// A test case that fails tests that leave something behind: see `LeakCheck`.
    ///
    /// ```swift
    /// final class DownloadTests: LeakCheckedTestCase {
    ///     func testAnswers() async throws { … }
    /// }
    /// ```
    open class LeakCheckedTestCase: XCTestCase {
        /// What is looked for. Everything, unless you override it.
        open var leakCheck: LeakCheck { LeakCheck() }

        open override func invokeTest() {
            let leaks = leakCheck.blockingLeaks { super.invokeTest() }
            if !leaks.isEmpty { report(leaks) }
        }

        /// Fails the test for what it has left behind.
        open func report(_ leaks: [String]) {
            XCTFail(leakMessage(leaks))
        }
    }
#endif
