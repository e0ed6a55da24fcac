import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting

/// Collects reported issues instead of failing the test.
public final class Issues: Sendable {
    private let collected = Locked<[(message: String, place: SourcePlace)]>([])

    /// Creates an empty collection.
    public init() {}

    /// Reporter to pass to the code under test.
    public var reporter: IssueReporter {
        IssueReporter { [collected] message, place in
            collected.withLock { $0.append((message, place)) }
        }
    }

    /// Messages of the issues, in order.
    public var messages: [String] { collected.withLock { $0.map(\.message) } }
    /// Line numbers of the issues, in order.
    public var lines: [UInt] { collected.withLock { $0.map(\.place.line) } }
}
