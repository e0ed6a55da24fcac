import Foundation
import MoyaTestSupport
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
        #expect(try file.load(State.self) == State(offset: 7))
        #expect(!openFiles.contains { $0.hasSuffix(file.url.path) })
    }

    @Test(arguments: [(1_000_000, true), (1_100_000, false)])
    func `A state of up to a MiB is loaded`(size: Int, isLoaded: Bool) throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let file = StateFile(url: place)
        defer { file.remove() }
        let state = [String(repeating: "x", count: size)]
        try file.save(state)
        #expect(try file.load([String].self) == (isLoaded ? state : nil))
    }

    #if os(macOS) || os(Linux)
        @Test func `a download without a descriptor for its state keeps its bytes and its state`()
            async
        {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let destination = folder.file("file")
                let store = try DownloadStore(for: destination, from: "source")
                try store.partial.write(Data(count: 100), at: 0)
                let state = StateFile(url: folder.file(".file.moya-part.json"))
                try state.save(State(offset: 7))

                // `open` fails with EMFILE (POSIX).
                let usual = try ResourceLimit.descriptors.set(0)
                #expect(throws: FileTransferError.self) { try store.load() }
                try ResourceLimit.descriptors.set(usual)
                #expect(try store.partial.length == 100)
                #expect(try state.load(State.self) == State(offset: 7))
            }
        }
    #endif
}
