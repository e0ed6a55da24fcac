import Foundation

/// Attributes that identify a version of a file without reading its content.
struct FileIdentity: Codable, Equatable, Sendable {
    let size: Int64
    private let modified: [Int]
    private let changed: [Int]
    private let inode: UInt64

    /// - Throws: ``FileTransferError`` if the file is missing or not a regular file.
    init(_ file: URL) throws(FileTransferError) {
        guard file.isFileURL else { throw .notAFile(file) }
        var status = stat()
        guard stat(file.path, &status) == 0 else { throw .missing(file) }
        try self.init(status, file)
    }

    /// Reads the attributes of an open file.
    init(descriptor: Int32, _ file: URL) throws(FileTransferError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(file) }
        try self.init(status, file)
    }

    private init(_ status: stat, _ file: URL) throws(FileTransferError) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(file) }
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        #if canImport(Darwin)
            modified = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
            changed = [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
        #else
            modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
            changed = [Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec)]
        #endif
    }
}
