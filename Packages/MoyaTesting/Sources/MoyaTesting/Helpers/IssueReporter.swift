import Foundation

#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Takes what a test has to hear of: an expectation that was not met, a stub that nobody used.
///
/// ``currentTest`` is what everything in this module reports to unless you say otherwise.
public struct IssueReporter: Sendable {
    private let handler: @Sendable (_ message: String, _ place: SourcePlace) -> Void

    /// A reporter that calls `handler`, on any thread.
    public init(_ handler: @escaping @Sendable (_ message: String, _ place: SourcePlace) -> Void) {
        self.handler = handler
    }

    /// Reports an issue at `place`.
    public func report(_ message: String, at place: SourcePlace) { handler(message, place) }

    /// Fails the test that is running: as an issue where Swift Testing runs it, otherwise as a failure of XCTest.
    ///
    /// Which of the two it is gets decided here and not when an issue comes up: that may be on a queue
    /// that knows nothing of the test. Where no test runs it writes to the standard error stream.
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

    /// Writes to the standard error stream.
    public static var standardError: IssueReporter {
        IssueReporter { message, place in
            FileHandle.standardError.write(Data("\(place): \(message)\n".utf8))
        }
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

/// What runs this process.
private enum TestRunner {
    case none
    case swiftTesting
    /// XCTest, or one that runs the tests of both.
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
