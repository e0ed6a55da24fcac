import Foundation
import MoyaInternals

/// Moves a file to its destination atomically, so that the destination never holds an incomplete
/// file.
struct FilePlacement {
    /// Whether a file at the destination is replaced. If not, exactly one of two concurrent moves
    /// to the same destination succeeds.
    let replaces: Bool

    /// Moves `file` to `target`.
    ///
    /// The bytes are synchronised with the disk before the move, so that a loss of power cannot
    /// leave an incomplete file at the destination.
    ///
    /// - Throws: ``FileTransferError`` if the destination exists, its folder is missing, or the
    ///   disk is full.
    func move(_ file: URL, to target: URL) throws {
        do {
            try moveOnAnyVolume(file, to: target)
        } catch let error as POSIXError {
            let folder = target.deletingLastPathComponent()
            guard error.code != .ENOENT || FileManager.default.fileExists(atPath: folder.path)
            else { throw FileTransferError.noFolder(folder) }
            throw FileTransferError.failed("Cannot move the download to", target, error)
        }
        FileSync.folder(target.deletingLastPathComponent())
    }

    private func moveOnAnyVolume(_ file: URL, to target: URL) throws {
        do {
            try FileSync.file(file)
            try place(file, at: target)
        } catch let error as POSIXError where error.code == .EXDEV {
            try moveFromOtherVolume(file, to: target)
        }
    }

    private func place(_ file: URL, at target: URL) throws {
        let mode = mode(at: target)
        // Permissions are set through a descriptor opened before the move: afterwards, the name may
        // refer to another file.
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        try name(file, target)
        if let mode, descriptor >= 0 { _ = fchmod(descriptor, mode) }
    }

    /// Permissions of the file at its destination: the permissions of the replaced file, or 0666
    /// without the umask's bits. Until then, only the owner may read the file.
    private func mode(at target: URL) -> mode_t? {
        var status = stat()
        if replaces, lstat(target.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            return status.st_mode & 0o777
        }
        return Self.umask.map { 0o666 & ~$0 }
    }

    /// Umask of the process. umask(2) is not used, because it can only read the mask by changing it
    /// for all threads.
    private static var umask: mode_t? {
        #if os(Linux)
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("Umask:") }
            return line.flatMap { line in
                mode_t(line.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8)
            }
        #else
            // The permissions of a new file reveal the umask.
            let probe = FileManager.default.temporaryDirectory
                .appendingPathComponent(".moya-\(RandomID.uuid().uuidString).mode")
            let descriptor = open(probe.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            unlink(probe.path)
            var status = stat()
            return fstat(descriptor, &status) == 0 ? ~status.st_mode & 0o666 : nil
        #endif
    }

    private func name(_ file: URL, _ target: URL) throws {
        guard !replaces else { return try check(rename(file.path, target.path), at: target) }
        do {
            // Unlike rename(2), link(2) never replaces an existing file.
            try check(link(file.path, target.path), at: target)
        } catch let error as POSIXError
            where [EPERM, ENOTSUP, EOPNOTSUPP].contains(error.code.rawValue)
        {
            return try claim(target, for: file)
        }
        try check(unlink(file.path), at: file)
    }

    /// Claims the destination with an empty file and renames `file` over it. Used on file systems
    /// without hard links.
    func claim(_ target: URL, for file: URL) throws {
        let descriptor = open(target.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try check(descriptor < 0 ? -1 : close(descriptor), at: target)
        do {
            try check(rename(file.path, target.path), at: target)
        } catch {
            unlink(target.path)
            throw error
        }
    }

    /// Moves a file from another volume: copies it beside the destination, then renames the copy.
    private func moveFromOtherVolume(_ file: URL, to target: URL) throws {
        let files = FileManager.default
        let folder = target.deletingLastPathComponent()
        let copy = folder.appendingPathComponent(".moya-\(RandomID.uuid().uuidString).download")
        do {
            try files.copyItem(at: file, to: copy)
            try FileSync.file(copy)
            try place(copy, at: target)
        } catch {
            try? files.removeItem(at: copy)
            throw error
        }
        try files.removeItem(at: file)
    }

    private func check(_ result: Int32, at target: URL) throws {
        guard result != 0 else { return }
        let error = POSIXError.last
        throw error.code == .EEXIST ? FileTransferError.occupied(target) : error
    }
}
