import Foundation

extension NewFile {
    /// Creates the file `url` with the content that `body` writes. Removes the file after an error.
    ///
    /// - Throws: The errors of `body`, and of creating and closing the file.
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

    /// Atomically replaces `target` with the content that `body` writes. `body` writes to the file
    /// `draft`, which must not exist and must be in the same directory; `draft` is then renamed.
    /// After an error, `target` is unchanged.
    ///
    /// - Throws: The errors of ``make(_:_:)``; a POSIX error if `target` cannot be replaced.
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
    /// - Throws: `URLError(.cannotWriteToFile)`, for example if the disk is full.
    public mutating func write(_ data: Data) throws {
        try data.withUnsafeBytes { try write($0) }
    }
}
