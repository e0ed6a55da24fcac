import Foundation

/// Readable regular file on this machine.
struct LocalFile {
    let size: Int64

    /// Looks up the file's attributes.
    ///
    /// - Throws: ``FileTransferError`` if the file is missing, unreadable or not a regular file.
    init(_ url: URL, _ files: FileManager) throws(FileTransferError) {
        guard url.isFileURL else { throw .notAFile(url) }
        let path = url.resolvingSymlinksInPath().path
        guard let attributes = try? files.attributesOfItem(atPath: path) else {
            throw .missing(url)
        }
        // Reading a FIFO or a device might never end.
        guard attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? NSNumber
        else { throw .notAFile(url) }
        guard files.isReadableFile(atPath: path) else { throw .unreadable(url) }
        self.size = size.int64Value
    }
}

/// Open file, read from start to end with plain system calls.
final class FileSource {
    private let url: URL
    private let descriptor: Int32
    private var left: Int64

    /// - Parameter size: Number of bytes that the file must have.
    /// - Throws: ``FileTransferError``.
    init(_ url: URL, size: Int64) throws(FileTransferError) {
        self.url = url
        left = size
        // O_NONBLOCK: if a FIFO has replaced the file, open(2) must not wait for a writer. The
        // fstat below rejects the FIFO.
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missing(url) : .cannotBeRead(url, errno)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotBeRead(url, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(url) }
        guard Int64(status.st_size) == size else { throw .changed(url) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads the next bytes into `space`. Returns 0 at the end, after checking that the file has
    /// not grown.
    func read(into space: UnsafeMutableRawBufferPointer) throws(FileTransferError) -> Int {
        if left == 0 {
            // Tries to read one more byte, because some file systems report a wrong size.
            var byte: UInt8 = 0
            guard try readOnce(&byte, 1) == 0 else { throw .changed(url) }
            return 0
        }
        let wanted = Int(min(Int64(space.count), left))
        let count = try readOnce(space.baseAddress, wanted)
        guard count > 0 else { throw .changed(url) }
        left -= Int64(count)
        return count
    }

    private func readOnce(
        _ space: UnsafeMutableRawPointer?, _ count: Int
    ) throws(FileTransferError) -> Int {
        while true {
            let read = Foundation.read(descriptor, space, count)
            if read >= 0 { return read }
            if errno != EINTR { throw .cannotBeRead(url, errno) }
        }
    }
}

extension FileTransferError {
    static func changed(_ url: URL) -> FileTransferError {
        FileTransferError(
            description: "The file \(url.path) became longer or shorter while it was being sent.")
    }

    static func cannotBeRead(_ url: URL, _ code: Int32) -> FileTransferError {
        FileTransferError(
            description: "The file \(url.path) cannot be read: \(String(cString: strerror(code))).")
    }
}
