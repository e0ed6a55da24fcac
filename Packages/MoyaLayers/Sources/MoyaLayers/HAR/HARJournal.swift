import Foundation
import MoyaCore
import MoyaInternals

/// A journal with one archive entry per line, and the archive built from it.
struct HARJournal: Sendable {
    private let file: URL
    private let journal: URL
    private var count: Int
    /// Number of entries at which the archive is written next. It doubles, so that the total work
    /// stays linear.
    private var nextArchive = 1
    /// Whether the archive is complete and the journal is removed.
    private var isFinished = false

    static func journal(of file: URL) -> URL { file.appendingPathExtension("journal") }

    /// - Parameter isGoingOn: Whether to continue the existing archive.
    init(file: URL, isGoingOn: Bool = false) throws {
        self.file = file
        journal = Self.journal(of: file)
        let manager = FileManager.default
        if !manager.fileExists(atPath: journal.path) {
            let lines = isGoingOn ? try Self.lines(ofArchive: file) : Data()
            try Self.replace(journal) { try $0.write(lines) }
        }
        // A process that died may have left an incomplete line.
        let all = try Data(contentsOf: journal)
        let whole = Self.wholeLines(of: all)
        if all.starts(with: whole) {
            let handle = try FileHandle(forWritingTo: journal)
            defer { try? handle.close() }
            try handle.truncate(atOffset: UInt64(whole.count))
        } else {
            try Self.replace(journal) { try $0.write(whole) }
        }
        count = whole.count { $0 == UInt8(ascii: "\n") }
    }

    mutating func append(_ entry: Data) throws {
        if !FileManager.default.fileExists(atPath: journal.path) {
            self = try HARJournal(file: file, isGoingOn: isFinished)
        }
        let handle = try FileHandle(forWritingTo: journal)
        defer { try? handle.close() }
        let end = try handle.seekToEnd()
        do {
            try handle.write(contentsOf: entry + [UInt8(ascii: "\n")])
        } catch {
            // Removes an incomplete line, which would corrupt the next line too.
            try? handle.truncate(atOffset: end)
            throw error
        }
        count += 1
        guard count >= nextArchive else { return }
        try writeArchive()
        nextArchive = count * 2
    }

    mutating func finish() throws {
        guard FileManager.default.fileExists(atPath: journal.path) else { return }
        try writeArchive()
        try FileManager.default.removeItem(at: journal)
        count = 0
        nextArchive = 1
        isFinished = true
    }

    private func writeArchive() throws {
        let lines = try Self.wholeLines(of: Data(contentsOf: journal))
            .split(separator: UInt8(ascii: "\n"))
        try Self.replace(file) { new in
            try new.write(
                #"{"log":{"version":"1.2","creator":{"name":"Moya","version":"\#(Moya.version)"},"#)
            try new.write(#""entries":["#)
            for (index, line) in lines.enumerated() {
                if index > 0 { try new.write(",") }
                try new.write(line)
            }
            try new.write("]}}\n")
        }
    }

    /// Returns the entries of an archive, one per line. Empty if the file does not exist.
    private static func lines(ofArchive file: URL) throws -> Data {
        guard FileManager.default.fileExists(atPath: file.path) else { return Data() }
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let log = (json as? [String: Any])?["log"] as? [String: Any]
        return try (log?["entries"] as? [Any] ?? []).reduce(into: Data()) { lines, entry in
            lines += try JSONSerialization.data(withJSONObject: entry) + [UInt8(ascii: "\n")]
        }
    }

    /// Writes a new file, and renames it to `file` atomically.
    private static func replace(_ file: URL, _ write: (inout NewFile) throws -> Void) throws {
        try NewFile.replace(
            file, by: file.appendingPathExtension("part-\(RandomID.uuid().uuidString)"), write)
    }

    /// Returns the complete lines that are valid JSON. A process that died leaves an incomplete
    /// last line, and a system crash may leave arbitrary bytes.
    private static func wholeLines(of data: Data) -> Data {
        var whole = Data()
        for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .dropLast()
        where (try? JSONSerialization.jsonObject(with: line)) != nil {
            whole += line + [UInt8(ascii: "\n")]
        }
        return whole
    }
}

extension NewFile {
    fileprivate mutating func write(_ text: String) throws { try write(Data(text.utf8)) }
}
