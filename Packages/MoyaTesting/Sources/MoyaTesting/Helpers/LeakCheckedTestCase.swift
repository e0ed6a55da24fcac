#if canImport(XCTest)
    import Foundation
    import XCTest

    /// A test case that fails tests that leave something behind: see ``LeakCheck``.
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
            let check = leakCheck
            let before = check.begin()
            let scope = LeakScope()
            LeakScope.$current.withValue(scope) { super.invokeTest() }
            let limit = Date() + check.patience
            var leaks = check.left(since: before, in: scope)
            while !leaks.isEmpty && Date() < limit {
                // Nobody tells when a descriptor is closed.
                Thread.sleep(forTimeInterval: 0.01)
                leaks = check.left(since: before, in: scope)
            }
            if !leaks.isEmpty { report(leaks) }
        }

        /// Fails the test for what it has left behind.
        open func report(_ leaks: [String]) {
            XCTFail(LeakCheck.message(leaks))
        }
    }
#endif
