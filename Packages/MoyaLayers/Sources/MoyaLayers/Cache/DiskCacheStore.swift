import Foundation
import MoyaInternals

/// A cache store on disk. Over its limit, it evicts the least recently used entries.
///
/// Each URL has one file. A change writes a new file and renames it over the old file, and a
/// checksum detects incomplete files: after a crash of the process or the system, a reader finds
/// the old file, the new file or no file. Several processes may use one folder: a lock file in it
/// (`flock`) serializes their changes.
///
/// Files are readable by their owner only, and so is a folder that the store creates. The
/// permissions of an existing folder stay as they are. Files contain responses unencrypted: keep
/// sensitive responses off the disk with `Cache-Control: no-store`.
public final class DiskCacheStore: CacheStore {
    private let queue = DispatchQueue(label: "moya.cache.disk")
    private let files: DiskCacheFiles

    /// - Parameters:
    ///   - folder: Folder of the cache files. Created if it does not exist. It should contain no
    ///     other files.
    ///   - limit: Maximum total size of the files, in bytes. Default: 256 MiB. The size may exceed
    ///     it by an eighth for a short time. With 0 or less nothing is stored.
    public convenience init(folder: URL, limit: Int = 256 << 20) {
        self.init(folder: folder, limit: limit, lock: FolderLock(folder: folder))
    }

    init(folder: URL, limit: Int = 256 << 20, lock: FolderLock) {
        files = DiskCacheFiles(folder: folder, limit: max(0, limit), lock: lock)
    }

    /// Returns the responses stored under `key`, and marks the file as recently used.
    public func responses(for key: String) async -> [StoredResponse] {
        await onQueue { $0.read(key) }
    }

    /// Changes the responses stored under `key`, under the lock that excludes other processes.
    public func update(
        _ key: String, _ change: @escaping @Sendable (inout [StoredResponse]) -> Void
    ) async {
        await onQueue { $0.update(key, change) }
    }

    /// Removes all files of the store.
    public func removeAll() async {
        await onQueue { $0.removeAll() }
    }

    /// Runs `work` on the store's dispatch queue, because file access may block.
    private func onQueue<Value: Sendable>(
        _ work: @escaping @Sendable (DiskCacheFiles) -> Value
    ) async -> Value {
        await DiskWork.perform(on: queue) { [files] in work(files) }
    }
}
