import Foundation
import Testing

@testable import MoyaMultipart

@Suite struct StateFileTests {
    private struct State: Codable, Equatable {
        var offset: Int64
    }

    /// Targets of this process's open file descriptors. Empty on systems without /proc.
    private var openFiles: [String] {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap {
            try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
    }

    @Test func `Loading a state closes its file`() throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let file = StateFile(url: place)
        defer { file.remove() }
        try file.save(State(offset: 7))
        #expect(file.load(State.self) == State(offset: 7))
        #expect(!openFiles.contains { $0.hasSuffix(file.url.path) })
    }

    @Test(arguments: [(1_000_000, true), (1_100_000, false)])
    func `A state of up to a MiB is loaded`(size: Int, isLoaded: Bool) throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let file = StateFile(url: place)
        defer { file.remove() }
        let state = [String(repeating: "x", count: size)]
        try file.save(state)
        #expect(file.load([String].self) == (isLoaded ? state : nil))
    }
}
