import Foundation

/// Moves a file to its name in one step, so that there is a whole file at any time.
struct FilePlacement {
    /// Whether a file of that name is replaced. Where it is not, exactly one of two moves to the same name succeeds,
    /// even if both happen at the same moment.
    let replaces: Bool

    /// Moves `file` to `target`.
    ///
    /// The bytes are on the disk before the name is, so that not even a loss of power leaves half a file under it.
    ///
    /// - Throws: ``FileTransferError``: the name is taken, there is no folder, the disk is full.
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
        // The permissions are set through this descriptor, not by the name: another file may have that by then.
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        try name(file, target)
        if let mode, descriptor >= 0 { _ = fchmod(descriptor, mode) }
    }

    /// The permissions that the file gets with its name: those of the file it replaces, or those of any new file,
    /// which the umask leaves. Before that, only its owner may read it.
    private func mode(at target: URL) -> mode_t? {
        var status = stat()
        if replaces, lstat(target.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            return status.st_mode & 0o777
        }
        return Self.umask.map { 0o666 & ~$0 }
    }

    /// The process's umask. To ask the system for it is to change it for all threads.
    private static var umask: mode_t? {
        #if os(Linux)
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("Umask:") }
            return line.flatMap { line in
                mode_t(line.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8)
            }
        #else
            // A new file shows it.
            let probe = FileManager.default.temporaryDirectory
                .appendingPathComponent(".moya-\(UUID().uuidString).mode")
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
            // Unlike rename, link never replaces another file.
            try check(link(file.path, target.path), at: target)
        } catch let error as POSIXError
            where [EPERM, ENOTSUP, EOPNOTSUPP].contains(error.code.rawValue)
        {
            return try claim(target, for: file)
        }
        try check(unlink(file.path), at: file)
    }

    /// Where the file system knows no links, an empty file keeps the name until the whole one takes its place.
    private func claim(_ target: URL, for file: URL) throws {
        let descriptor = open(target.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try check(descriptor < 0 ? -1 : close(descriptor), at: target)
        do {
            try check(rename(file.path, target.path), at: target)
        } catch {
            unlink(target.path)
            throw error
        }
    }

    /// From another volume it is copied beside the target first.
    private func moveFromOtherVolume(_ file: URL, to target: URL) throws {
        let files = FileManager.default
        let folder = target.deletingLastPathComponent()
        let copy = folder.appendingPathComponent(".moya-\(UUID().uuidString).download")
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
