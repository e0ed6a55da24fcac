import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaTesting

/// Collects what would have failed a test.
final class Issues: Sendable {
    private let collected = Locked<[(message: String, place: SourcePlace)]>([])

    var reporter: IssueReporter {
        IssueReporter { [collected] message, place in
            collected.withLock { $0.append((message, place)) }
        }
    }

    var messages: [String] { collected.withLock { $0.map(\.message) } }
    var lines: [UInt] { collected.withLock { $0.map(\.place.line) } }
}

/// A folder for one test. Removed with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("moya-testing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}
