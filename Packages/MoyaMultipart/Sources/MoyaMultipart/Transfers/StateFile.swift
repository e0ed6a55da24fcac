import Foundation
import MoyaCore
import MoyaInternals

/// Small JSON file that is replaced atomically and that only its owner can read.
struct StateFile: Sendable {
    let url: URL

    /// Upper bound of a state's size, in bytes.
    private static let mostBytes = 1 << 20

    /// Returns the saved state. `nil` if the file is missing, belongs to another user, or holds no
    /// valid state.
    ///
    /// - Throws: ``FileTransferError`` if the file cannot be opened; an error of reading. The state
    ///   may be valid then.
    func load<State: Decodable>(_: State.Type) throws -> State? {
        do {
            let data = try OwnFile.contents(of: url, upTo: Self.mostBytes)
            return data.flatMap { try? JSONDecoder().decode(State.self, from: $0) }
        } catch let error as POSIXError {
            throw FileTransferError.failed("Cannot read", url, error)
        }
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
