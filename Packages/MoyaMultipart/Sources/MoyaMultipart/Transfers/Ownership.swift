import Foundation

/// Whose a file is that an earlier attempt seems to have left. In a folder that others can write to, it may be theirs.
enum Ownership {
    /// A file of this user's.
    case own
    /// A file of another user's.
    case foreign
    /// A link, a pipe, a folder: nothing that an attempt leaves.
    case noFile

    init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: status.st_uid == geteuid() ? .own : .foreign
            default: .noFile
            }
    }

    /// Of what has this name, links not followed. `nil` where there is nothing.
    init?(of file: URL) {
        var status = stat()
        guard lstat(file.path, &status) == 0 else { return nil }
        self.init(status)
    }
}
