import Foundation
import MoyaCore

/// A small file of JSON that is there whole or not at all, for its owner's eyes alone.
struct StateFile: Sendable {
    let url: URL

    /// More than any state has.
    private static let mostBytes = 1 << 20

    /// The state in it. `nil` if the file is not there or another user's, or holds no such state.
    func load<State: Decodable>(_: State.Type) -> State? {
        guard let data = try? read() else { return nil }
        return try? JSONDecoder().decode(State.self, from: data)
    }

    private func read() throws -> Data? {
        // O_NONBLOCK: opening a pipe in its place must not wait. That it is no file is seen below.
        let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, case .own = Ownership(status) else { return nil }
        return try handle.read(upToCount: Self.mostBytes)
    }

    /// Writes `state` in the place of what is there.
    ///
    /// - Throws: What writing throws. What was there stays then.
    func save(_ state: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(state)
        // Left by a process that was killed, or put there by another user: a link would be written through.
        unlink(new.path)
        try NewFile.make(new) { try $0.write(data) }
        try FileSync.file(new)
        guard rename(new.path, url.path) == 0 else {
            let failure = FileTransferError.failed("Cannot replace", url)
            unlink(new.path)
            throw failure
        }
    }

    func remove() {
        unlink(url.path)
        unlink(new.path)
    }

    /// Where it is written before it takes the place of the last one.
    private var new: URL { url.appendingPathExtension("new") }
}
