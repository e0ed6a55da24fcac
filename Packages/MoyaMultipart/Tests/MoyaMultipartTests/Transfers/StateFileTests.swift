import Foundation
@_spi(MoyaInternals) import MoyaTesting
import Testing

@testable import MoyaMultipart

@Suite struct StateFileTests {
    private struct State: Codable, Equatable {
        var offset: Int64
    }

    /// The targets of this process's open descriptors. Empty on systems without /proc.
    private var openFiles: [String] {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap {
            try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
    }

    @Test func `Loading a state closes its file`() throws {
        let folder = try TemporaryFolder()
        let file = StateFile(url: folder.file("state"))
        try file.save(State(offset: 7))
        #expect(file.load(State.self) == State(offset: 7))
        #expect(!openFiles.contains { $0.hasSuffix(file.url.path) })
    }
}
