import Foundation

/// Owner of a file that an earlier attempt appears to have left. In a shared folder, another user
/// may have created it.
public enum Ownership: Sendable {
    /// Regular file of this user.
    case own
    /// Regular file of another user.
    case foreign
    /// Symbolic link, FIFO, directory or other file type that no attempt creates.
    case noFile

    /// Returns the owner of a file with this status.
    public init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: status.st_uid == geteuid() ? .own : .foreign
            default: .noFile
            }
    }

    /// Checks the file at `file` without following symbolic links. `nil` if it does not exist.
    public init?(of file: URL) {
        var status = stat()
        guard lstat(file.path, &status) == 0 else { return nil }
        self.init(status)
    }
}
