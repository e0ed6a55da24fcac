import Foundation

/// The folder of one run.
enum RunFolder {
    /// Makes the folder with those for what is kept and for what is temporary. Where that fails, the flow's own writing says
    /// so.
    static func make() -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("explored-\(UUID().uuidString)").resolvingSymlinksInPath()
        for name in ["kept", "temporary"] {
            try? FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        return folder
    }

    /// The text without the folder's random name.
    static func hide(_ folder: URL?, in text: String) -> String {
        folder.map { text.replacingOccurrences(of: $0.path, with: "…") } ?? text
    }

    static func remove(_ folder: URL) {
        // Best effort: it is in the folder for temporary files.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Temporary files, and descriptors that are open on any file of the folder.
    static func leftovers(in folder: URL) -> [String] {
        let temporary = folder.appendingPathComponent("temporary").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        return names.sorted().map { "temporary file \($0) still there" }
            + openFiles(in: folder).map { "\($0.path) still open" }.sorted()
    }

    /// Ends what descriptors hold of the folder's files, as the end of a process does: locks above all. The descriptors stay
    /// open, on nothing, so that a later `close` of the killed process closes no file of another.
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
            return String(cString: buffer)
        #else
            return try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(descriptor)")
        #endif
    }
}
