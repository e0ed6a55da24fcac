import Foundation
import MoyaCore

/// Small JSON file that is replaced atomically and that only its owner can read.
struct StateFile: Sendable {
    let url: URL

    /// Upper bound of a state's size, in bytes.
    private static let mostBytes = 1 << 20

    /// Returns the saved state. `nil` if the file is missing, belongs to another user, or holds no
    /// valid state.
    func load<State: Decodable>(_: State.Type) -> State? {
        guard let data = try? read() else { return nil }
        return try? JSONDecoder().decode(State.self, from: data)
    }

    private func read() throws -> Data? {
        // O_NONBLOCK: open(2) of a FIFO must not wait for a writer. The fstat below rejects the
        // FIFO.
        let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, case .own = Ownership(status) else { return nil }
        return try handle.read(upToCount: Self.mostBytes)
    }

    /// Saves `state`, replacing the previous state.
    ///
    /// - Throws: An encoding error, a POSIX error or ``FileTransferError``. The previous state is
    ///   kept then.
    func save(_ state: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(state)
        // A killed process may have left this file. Another user may have created it as a symbolic
        // link, which the write would follow.
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

    /// Temporary name of the new state until it replaces the old one.
    private var new: URL { url.appendingPathExtension("new") }
}
