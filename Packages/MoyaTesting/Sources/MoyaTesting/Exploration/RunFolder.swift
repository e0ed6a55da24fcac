import Foundation
import MoyaInternals

/// Temporary folder of one run.
enum RunFolder {
    /// Makes the folder, with subfolders for kept and for temporary files. Ignores errors: the
    /// flow's own writes then fail.
    static func make() -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("explored-\(RandomID.hexadecimal())").resolvingSymlinksInPath()
        for name in ["kept", "temporary"] {
            try? FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        return folder
    }

    /// Returns the text with the folder's random path replaced by `…`.
    static func hide(_ folder: URL?, in text: String) -> String {
        folder.map { text.replacingOccurrences(of: $0.path, with: "…") } ?? text
    }

    /// Temporary files, and files of the folder that are still open, as text for the report.
    static func leftovers(in folder: URL) -> [String] {
        let temporary = folder.appendingPathComponent("temporary").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        return names.sorted().map { "temporary file \($0) still there" }
            + openFiles(in: folder).map { "\($0.path) still open" }.sorted()
    }

    /// Releases the locks on the folder's open files, as the end of a process does. Each descriptor
    /// stays open on `/dev/null`: if its number were reused, a later `close` by the killed process
    /// would close another file.
    static func abandonFiles(in folder: URL) {
        let files = openFiles(in: folder)
        guard !files.isEmpty else { return }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard null >= 0 else { return }
        for file in files { _ = dup2(null, file.descriptor) }
        _ = close(null)
    }

    private static func openFiles(in folder: URL) -> [(descriptor: Int32, path: String)] {
        #if os(Linux) || os(Android)
            let descriptors = "/proc/self/fd"
        #else
            let descriptors = "/dev/fd"
        #endif
        let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
        return names.compactMap { name in
            guard let descriptor = Int32(name), let path = path(of: descriptor),
                path.hasPrefix(folder.path + "/")
            else { return nil }
            return (descriptor, String(path.dropFirst(folder.path.count + 1)))
        }
    }

    private static func path(of descriptor: Int32) -> String? {
        #if canImport(Darwin)
            var buffer = [CChar](repeating: 0, count: Int(MAXPATHLEN))
            guard fcntl(descriptor, F_GETPATH, &buffer) >= 0 else { return nil }
            let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            return String(decoding: bytes, as: UTF8.self)
        #else
            return try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(descriptor)")
        #endif
    }
}
