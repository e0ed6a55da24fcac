import Foundation

@_spi(MoyaInternals)
extension NewFile {
    /// Makes the file `url` of what `body` writes. Where that fails, there is no file.
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

    /// Puts what `body` writes in the place of `target`, in one step: it is written to `draft` first, which is in the
    /// same folder and does not exist. Where that fails, `target` is what it was.
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
