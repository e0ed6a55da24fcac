import Foundation
import MoyaCore
import MoyaInternals

/// Receives problems that should fail a test: an expectation that was not met, a stub that was not
/// used.
///
/// ``standard`` is the default. It writes to the standard error stream. Where MoyaTesting is
/// linked, it fails the running test instead. A demo mode may collect problems itself:
///
/// ```swift
/// let reporter = IssueReporter { message, place in log("\(place): \(message)") }
/// let provider = StubbedProvider<GitHub>(reporter: reporter)
/// ```
public struct IssueReporter: Sendable {
    private let handler: @Sendable (_ message: String, _ place: SourcePlace) -> Void

    /// Creates a reporter that calls `handler`, on any thread.
    public init(_ handler: @escaping @Sendable (_ message: String, _ place: SourcePlace) -> Void) {
        self.handler = handler
    }

    /// Reports an issue at `place`.
    public func report(_ message: String, at place: SourcePlace) { handler(message, place) }

    /// A struct, because a closure stored directly as the generic value of `Locked` gains a
    /// reabstraction thunk with each access.
    private struct Maker: Sendable {
        var make: @Sendable () -> IssueReporter = { .standardError }
    }

    private static let standardMaker = Locked(Maker())

    /// The default reporter.
    public static var standard: IssueReporter { standardMaker.withLock(\.make)() }

    /// Replaces ``standard`` for the whole process. MoyaTesting calls it at load time.
    ///
    /// - Parameter make: Called on each access to ``standard``, on any thread.
    public static func setStandard(_ make: @escaping @Sendable () -> IssueReporter) {
        standardMaker.withLock { $0.make = make }
    }

    /// A reporter that writes to the standard error stream.
    public static var standardError: IssueReporter {
        IssueReporter { message, place in
            FileHandle.standardError.write(Data("\(place): \(message)\n".utf8))
        }
    }
}
