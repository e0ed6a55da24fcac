import Foundation
import MoyaCore
import MoyaInternals
import MoyaTesting

/// Collects reported issues instead of failing the test.
public final class Issues: Sendable {
    private let collected = Locked<[(message: String, place: SourcePlace)]>([])

    public init() {}

    public var reporter: IssueReporter {
        IssueReporter { [collected] message, place in
            collected.withLock { $0.append((message, place)) }
        }
    }

    public var messages: [String] { collected.withLock { $0.map(\.message) } }
    public var lines: [UInt] { collected.withLock { $0.map(\.place.line) } }
}
