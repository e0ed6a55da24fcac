import Foundation
import MoyaCore
import MoyaInternals

/// The files of a ``DiskCacheStore``. Used by one thread at a time. Errors are not reported: a
/// response whose file cannot be written counts as not stored.
struct DiskCacheFiles: Sendable {
    let folder: URL
    let limit: Int
    let lock: FolderLock
    /// Bytes written since the last scan of the folder. The first write scans the folder.
    private let unseen = Locked(Int.max)
    /// Whether ``removeAll()`` could not list the folder, for example without a free descriptor.
    /// Until it can, nothing is read.
    private let isToBeEmptied = Locked(false)

    private static let suffix = ".response"
    private static let partSuffix = ".part"

    func read(_ key: String) -> [StoredResponse] {
        emptyIfNecessary() ? load(key) ?? [] : []
    }

    /// Returns `nil` if there is a file that cannot be read, for example without a free descriptor.
    private func load(_ key: String) -> [StoredResponse]? {
        let file = file(for: key)
        guard let data = try? Data(contentsOf: file) else {
            return FileManager.default.fileExists(atPath: file.path) ? nil : []
        }
        guard let record = CacheRecord(data), record.key == key else {
            // The file is damaged, or belongs to another URL with the same digest. The next
            // response replaces it.
            return []
        }
        // The modification date is the time of last use: see `makeRoom(written:)`.
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()], ofItemAtPath: file.path)
        return record.responses
    }

    /// Changes the responses stored under `key`, under the lock that excludes other processes.
    func update(_ key: String, _ change: (inout [StoredResponse]) -> Void) {
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let isUsable = emptyIfNecessary()
        lock.withLock { outcome in
            // Another process still holds the lock, or the file cannot be read. Removing the file
            // is always safe. Rewriting it could undo that process's change, and leaving it could
            // keep a response that the change removes.
            guard isUsable, case .acquired = outcome, var responses = load(key) else {
                return write([], for: key)
            }
            let old = responses
            change(&responses)
            if responses != old { write(responses, for: key) }
        }
    }

    private func write(_ responses: [StoredResponse], for key: String) {
        let file = file(for: key)
        guard !responses.isEmpty,
            let data = try? CacheRecord(key: key, responses: responses).encoded(),
            data.count <= limit
        else {
            try? FileManager.default.removeItem(at: file)
            return
        }
        do {
            let part = folder.appendingPathComponent(RandomID.uuid().uuidString + Self.partSuffix)
            try NewFile.replace(file, by: part) { try $0.write(data) }
        } catch {
            // The old file holds the responses that were to be replaced.
            try? FileManager.default.removeItem(at: file)
        }
        makeRoom(written: data.count)
    }

    func removeAll() {
        lock.withLock { _ in
            let files = contents()
            isToBeEmptied.withLock { $0 = files == nil }
            for file in files ?? [] { try? FileManager.default.removeItem(at: file.url) }
        }
    }

    /// Returns whether the folder has no files that ``removeAll()`` was to remove.
    private func emptyIfNecessary() -> Bool {
        if isToBeEmptied.withLock({ $0 }) { removeAll() }
        return isToBeEmptied.withLock { !$0 }
    }

    private func file(for key: String) -> URL {
        let digest = String(FNV1a.digest(key.utf8), radix: 16)
        return folder.appendingPathComponent(digest + Self.suffix)
    }

    private struct File {
        let url: URL
        let size: Int
        let lastUse: Date
    }

    /// Returns `nil` if the folder exists and cannot be listed.
    private func contents() -> [File]? {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let urls = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: Array(keys))
        guard let urls else {
            return FileManager.default.fileExists(atPath: folder.path) ? nil : []
        }
        return urls.compactMap { url in
            // Other files in the folder do not belong to the cache.
            guard [Self.suffix, Self.partSuffix].contains(where: url.lastPathComponent.hasSuffix),
                let values = try? url.resourceValues(forKeys: keys)
            else { return nil }
            return File(
                url: url, size: values.fileSize ?? 0,
                lastUse: values.contentModificationDate ?? .distantPast)
        }
    }

    /// Evicts the least recently used files if the folder exceeds its limit. Scans the folder once
    /// an eighth of the limit has been written, because other processes write to it too.
    private func makeRoom(written count: Int) {
        let isDue = unseen.withLock { unseen in
            let (sum, overflow) = unseen.addingReportingOverflow(count)
            let isDue = overflow || sum > limit / 8
            unseen = isDue ? 0 : sum
            return isDue
        }
        guard isDue else { return }
        var files = contents() ?? []
        // Temporary files of processes that died while writing.
        let dead = files.filter {
            $0.url.lastPathComponent.hasSuffix(Self.partSuffix) && $0.lastUse < Date() - 3600
        }
        for file in dead { try? FileManager.default.removeItem(at: file.url) }
        var size = files.reduce(0) { $0 + $1.size }
        guard size > limit else { return }
        files.sort { $0.lastUse < $1.lastUse }
        for file in files where size > limit / 10 * 9 {
            try? FileManager.default.removeItem(at: file.url)
            size -= file.size
        }
    }
}
