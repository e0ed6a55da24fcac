import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A small file of JSON that is there whole or not at all, for its owner's eyes alone.
struct StateFile: Sendable {
    let url: URL

    /// What it says. `nil` if it is not there, or says nothing that could be used.
    func load<State: Decodable>(_: State.Type) -> State? {
        (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(State.self, from: $0) }
    }

    /// Has it say something else.
    func save(_ state: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(state)
        // Left by a process that was killed, or put there by somebody else: a link would be written through.
        unlink(new.path)
        var file = try NewFile(new)
        do {
            try data.withUnsafeBytes { try file.write($0) }
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
        try FileSync.file(new)
        guard rename(new.path, url.path) == 0 else { throw POSIXError.last }
    }

    func remove() {
        unlink(url.path)
        unlink(new.path)
    }

    /// Where it is written before it takes the place of the last one.
    private var new: URL { url.appendingPathExtension("new") }
}
