import Foundation
import MoyaCore
import MoyaInternals

/// Receives problems that a test should fail with: an expectation that was not met, a stub that was not used.
///
/// ``standard`` is used unless another reporter is passed. It writes to the standard error stream, and fails the running
/// test where MoyaTesting is linked. A demo mode may collect problems itself:
///
/// ```swift
/// let provider = StubbedProvider<GitHub>(reporter: IssueReporter { message, place in log("\(place): \(message)") })
/// ```
public struct IssueReporter: Sendable {
    private let handler: @Sendable (_ message: String, _ place: SourcePlace) -> Void

    /// A reporter that calls `handler`, on any thread.
    public init(_ handler: @escaping @Sendable (_ message: String, _ place: SourcePlace) -> Void) {
        self.handler = handler
    }

    /// Reports an issue at `place`.
    public func report(_ message: String, at place: SourcePlace) { handler(message, place) }

    /// In a struct: a closure that is a generic value by itself is wrapped once more by each access.
    private struct Maker: Sendable {
        var make: @Sendable () -> IssueReporter = { .standardError }
    }

    private static let standardMaker = Locked(Maker())

    /// The reporter that is used unless another one is passed.
    public static var standard: IssueReporter { standardMaker.withLock(\.make)() }

    /// Replaces ``standard`` in the whole process. MoyaTesting does so when it is loaded.
    ///
    /// - Parameter make: Called each time ``standard`` is read, on any thread.
    public static func setStandard(_ make: @escaping @Sendable () -> IssueReporter) {
        standardMaker.withLock { $0.make = make }
    }

    /// Writes to the standard error stream.
    public static var standardError: IssueReporter {
        IssueReporter { message, place in
            FileHandle.standardError.write(Data("\(place): \(message)\n".utf8))
        }
    }
}
