import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A small file of JSON that is there whole or not at all, for its owner's eyes alone.
struct StateFile: Sendable {
    let url: URL

    /// More than any state has.
    private static let mostBytes = 1 << 20

    /// What it says. `nil` if it is not there or another user's, or says nothing that could be used.
    func load<State: Decodable>(_: State.Type) -> State? {
        guard let data = try? read() else { return nil }
        return try? JSONDecoder().decode(State.self, from: data)
    }

    private func read() throws -> Data? {
        // A pipe is opened at once, and then it is none.
        let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, case .own = Ownership(status) else { return nil }
        return try handle.read(upToCount: Self.mostBytes)
    }

    /// Has it say something else.
    func save(_ state: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(state)
        // Left by a process that was killed, or put there by somebody else: a link would be written through.
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
