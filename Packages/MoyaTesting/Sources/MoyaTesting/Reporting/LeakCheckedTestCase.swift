#if canImport(XCTest)
    import Foundation
    import MoyaStubs
    import XCTest

    /// An XCTest case that fails tests that leak: see `LeakCheck`.
    ///
    /// ```swift
    /// final class DownloadTests: LeakCheckedTestCase {
    ///     func testAnswers() async throws { … }
    /// }
    /// ```
    open class LeakCheckedTestCase: XCTestCase {
        /// The leak check. Checks all kinds by default; override it to change them.
        open var leakCheck: LeakCheck { LeakCheck() }

        /// Runs the test and reports its leaks.
        open override func invokeTest() {
            let leaks = leakCheck.blockingLeaks { super.invokeTest() }
            if !leaks.isEmpty { report(leaks) }
        }

        /// Fails the test with its leaks. Override it to report them in another way.
        open func report(_ leaks: [String]) {
            XCTFail(leakMessage(leaks))
        }
    }
#endif
