import Foundation

enum OpenDescriptors {
    /// Open descriptors of the process, each with its path, or `socket:[123]`. Omits the event
    /// queues and timers of the runtime (`anon_inode`), which are created on first use and stay
    /// open.
    static var all: [Int32: String] {
        #if os(Linux) || os(Android)
            let folder = "/proc/self/fd"
        #else
            let folder = "/dev/fd"
        #endif
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var found: [Int32: String] = [:]
        for name in names {
            guard let number = Int32(name), fcntl(number, F_GETFD) >= 0 else { continue }
            let what = description(of: number, in: folder)
            if !what.hasPrefix("anon_inode:") { found[number] = what }
        }
        return found
    }

    private static func description(of number: Int32, in folder: String) -> String {
        let path = "\(folder)/\(number)"
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
            return target
        }
        #if canImport(Darwin)
            // `/dev/fd` has no symbolic links.
            var status = stat()
            guard fstat(number, &status) == 0 else { return "unknown" }
            switch status.st_mode & S_IFMT {
            case S_IFSOCK: return "socket"
            case S_IFIFO: return "pipe"
            case S_IFREG: return "file \(status.st_ino)"
            default: return "device \(status.st_rdev)"
            }
        #else
            return "unknown"
        #endif
    }
}
