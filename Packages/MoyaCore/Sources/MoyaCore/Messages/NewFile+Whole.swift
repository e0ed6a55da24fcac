import Foundation

extension NewFile {
    /// Creates the file `url` with what `body` writes. Where that fails, the file is removed.
    ///
    /// - Throws: What `body` throws, and what creating and closing the file do.
    public static func make(_ url: URL, _ body: (inout NewFile) throws -> Void) throws {
        var file = try NewFile(url)
        do {
            try body(&file)
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Replaces `target` by what `body` writes, in one step. `body` writes to `draft`, which is in the same folder and does
    /// not exist, and `draft` is then renamed. Where that fails, `target` is unchanged.
    ///
    /// - Throws: As ``make(_:_:)``; a POSIX error where `target` cannot be replaced.
    public static func replace(
        _ target: URL, by draft: URL, _ body: (inout NewFile) throws -> Void
    ) throws {
        try make(draft, body)
        guard rename(draft.path, target.path) == 0 else {
            let error = POSIXError(.init(rawValue: errno) ?? .EIO)
            unlink(draft.path)
            throw error
        }
    }

    /// Appends `data`.
    ///
    /// - Throws: `URLError(.cannotWriteToFile)`, when the disk is full for example.
    public mutating func write(_ data: Data) throws {
        try data.withUnsafeBytes { try write($0) }
    }
}
