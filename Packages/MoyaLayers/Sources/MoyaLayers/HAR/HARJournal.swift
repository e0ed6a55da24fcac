import Foundation
import MoyaCore
import MoyaInternals

/// A journal with one archive entry per line, and the archive built from it.
struct HARJournal: Sendable {
    private let file: URL
    private let journal: OwnFile
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
        let lines = isGoingOn ? try Self.lines(ofArchive: file) : Data()
        journal = try OwnFile(Self.journal(of: file))
        if journal.isNew {
            do {
                try journal.handle.write(contentsOf: lines)
            } catch {
                unlink(journal.url.path)
                throw error
            }
        }
        let all = try journal.contents()
        // A process that died may have left an incomplete line.
        let end = all.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        try journal.handle.truncate(atOffset: UInt64(end))
        count = Self.wholeLines(of: all).count
    }

    mutating func append(_ entry: Data) throws {
        if !journal.isInPlace { self = try HARJournal(file: file, isGoingOn: isFinished) }
        let handle = journal.handle
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
        guard journal.isInPlace else { return }
        try writeArchive()
        unlink(journal.url.path)
        count = 0
        nextArchive = 1
        isFinished = true
    }

    private func writeArchive() throws {
        let lines = Self.wholeLines(of: try journal.contents())
        try NewFile.replace(
            file, by: file.appendingPathExtension("part-\(RandomID.uuid().uuidString)")
        ) {
            new in
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
        guard let data = try OwnFile.contents(of: file) else { return Data() }
        let json = try JSONSerialization.jsonObject(with: data)
        let log = (json as? [String: Any])?["log"] as? [String: Any]
        return try (log?["entries"] as? [Any] ?? []).reduce(into: Data()) { lines, entry in
            lines += try JSONSerialization.data(withJSONObject: entry) + [UInt8(ascii: "\n")]
        }
    }

    /// Returns the complete lines that are valid JSON. A process that died leaves an incomplete
    /// last line, and a system crash may leave arbitrary bytes.
    private static func wholeLines(of data: Data) -> [Data] {
        data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .filter { (try? JSONSerialization.jsonObject(with: $0)) != nil }
    }
}

extension OwnFile {
    /// A new handle for the open file.
    fileprivate var handle: FileHandle {
        FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    }

    fileprivate func contents() throws -> Data {
        try handle.seek(toOffset: 0)
        return try handle.readToEnd() ?? Data()
    }
}

extension NewFile {
    fileprivate mutating func write(_ text: String) throws { try write(Data(text.utf8)) }
}
