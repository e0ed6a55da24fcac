import Foundation

/// Validates a file before a transport sends it.
public enum UploadFile {
    /// Returns the size of the regular file at `url`, in bytes. Follows symbolic links.
    ///
    /// - Throws: `URLError` with `.fileDoesNotExist`, `.fileIsDirectory` or
    ///   `.noPermissionsToReadFile`.
    public static func size(of url: URL) throws -> Int64 {
        var status = stat()
        // `stat`, not `lstat`: the upload sends the target of a symbolic link.
        guard stat(url.path, &status) == 0 else {
            let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOENT)
            throw URLError(
                .fileDoesNotExist, "Cannot read \(url.path).", url: nil, cause: cause)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw URLError(.fileIsDirectory, "\(url.path) is not a regular file.", url: nil)
        }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw URLError(
                .noPermissionsToReadFile, "Permission denied reading \(url.path).", url: nil)
        }
        return Int64(status.st_size)
    }
}
