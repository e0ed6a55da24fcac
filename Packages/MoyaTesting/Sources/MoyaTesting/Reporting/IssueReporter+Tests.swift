import Foundation
import MoyaStubs

#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Makes ``IssueReporter/currentTest`` the standard reporter. `start.c` of CMoyaTesting calls it
/// before `main`.
@_cdecl("moya_testing_report_to_tests")
func reportToTests() { IssueReporter.setStandard { .currentTest } }

extension IssueReporter {
    /// Fails the running test: records an issue of Swift Testing, or a failure of XCTest.
    ///
    /// The test framework is determined when this property is read and not when an issue is
    /// reported, because an issue may be reported on a dispatch queue, outside the test's task. In
    /// a process that runs no tests, issues are written to the standard error stream.
    public static var currentTest: IssueReporter {
        #if canImport(Testing)
            if Test.current != nil || TestRunner.current == .swiftTesting {
                return IssueReporter { message, place in
                    Issue.record(Comment(rawValue: message), sourceLocation: .init(place))
                }
            }
        #endif
        #if canImport(XCTest)
            if TestRunner.current != .none {
                return IssueReporter { message, place in
                    XCTFail(message, file: place.filePath, line: place.line)
                }
            }
        #endif
        return standardError
    }
}

#if canImport(Testing)
    extension SourceLocation {
        init(_ place: SourcePlace) {
            self.init(
                fileID: "\(place.fileID)", filePath: "\(place.filePath)",
                line: max(1, Int(clamping: place.line)), column: max(1, Int(clamping: place.column))
            )
        }
    }
#endif

/// Test runner of this process.
private enum TestRunner {
    case none
    case swiftTesting
    /// XCTest, or a runner for both frameworks.
    case other

    static let current: TestRunner = {
        let process = ProcessInfo.processInfo
        if process.arguments.contains("swift-testing") { return .swiftTesting }
        let isTest =
            process.environment["XCTestConfigurationFilePath"] != nil
            || process.arguments.contains { $0.contains(".xctest") }
        return isTest ? .other : .none
    }()
}
