import Foundation
import MoyaInternals

/// Keeps responses in files. When they are too many, those go that were used longest ago.
///
/// Each URL has a file. It is written under another name and then takes its place in one step, and its
/// digest tells whether it is whole: whenever a process or the machine dies, what is found later is the old
/// file, the new one, or nothing. Several processes may use one folder: they take turns at changing what is
/// in there, by a lock on a file of it.
///
/// Files are for their owner's eyes alone, and so is a folder that is made for them: one that is there already stays as
/// it is. They hold responses as they came: leave out what must not lie on a disk with `Cache-Control: no-store`.
public final class DiskCacheStore: CacheStore {
    private let queue = DispatchQueue(label: "moya.cache.disk")
    private let files: DiskCacheFiles

    /// - Parameters:
    ///   - folder: Where the files are. Made if it is not there. Nothing else should be in it.
    ///   - limit: How many bytes the files have together. For a moment it may be an eighth more. 0 or less
    ///     keeps nothing.
    public convenience init(folder: URL, limit: Int = 256 << 20) {
        self.init(folder: folder, limit: limit, lock: FolderLock(folder: folder))
    }

    init(folder: URL, limit: Int = 256 << 20, lock: FolderLock) {
        files = DiskCacheFiles(folder: folder, limit: max(0, limit), lock: lock)
    }

    public func responses(for key: String) async -> [StoredResponse] {
        await onQueue { $0.read(key) }
    }

    public func update(
        _ key: String, _ change: @escaping @Sendable (inout [StoredResponse]) -> Void
    ) async {
        await onQueue { $0.update(key, change) }
    }

    public func removeAll() async {
        await onQueue { $0.removeAll() }
    }

    /// Files block, and must not block a thread that others wait for.
    private func onQueue<Value: Sendable>(
        _ work: @escaping @Sendable (DiskCacheFiles) -> Value
    ) async -> Value {
        await DiskWork.perform(on: queue) { [files] in work(files) }
    }
}
