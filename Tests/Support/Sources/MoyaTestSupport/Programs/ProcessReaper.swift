#if os(macOS) || os(Linux)
    import Foundation

    /// A shell beside the test process. When that process ends, also by SIGKILL, it kills the programs that the process has
    /// started and removes the folder of its files.
    ///
    /// The process itself cannot: its global objects are never released, and SIGKILL cannot be caught.
    final class ProcessReaper: Sendable {
        /// `nil` where no shell could be started.
        static let shared = try? ProcessReaper()

        /// Folder for the files of tests. Its name is short, as the path of a Unix socket has about a hundred bytes at most.
        let folder: URL
        /// Write end of the shell's standard input. The system closes it when this process ends.
        private let orders: Int32

        private static let script = """
            groups=
            while read -r order group; do
                case $order in
                    began) groups="$groups $group." ;;
                    ended) groups=${groups%%" $group."*}${groups#*" $group."} ;;
                esac
            done
            for group in $groups; do kill -s KILL -- "-${group%.}"; done
            # A killed program may still have written a file.
            rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
            """

        private init() throws {
            let temporary = FileManager.default.temporaryDirectory
            var path = Array(temporary.appendingPathComponent("tests-XXXXXX").path.utf8CString)
            guard mkdtemp(&path) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            let name = path.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) }
            folder = URL(fileURLWithPath: name ?? "", isDirectory: true)
            // Servers that root starts read their files as another user.
            chmod(folder.path, 0o755)
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { close(ends[0]) }
            orders = ends[1]
            _ = try Program.spawn(
                "/bin/sh", ["-c", Self.script, "sh", folder.path], input: ends[0])
        }

        /// Has the process group `group` killed when this process ends.
        func began(_ group: pid_t) { tell("began \(group)\n") }

        /// Forgets `group`, whose number another process group may get.
        func ended(_ group: pid_t) { tell("ended \(group)\n") }

        private func tell(_ order: String) {
            let bytes = Array(order.utf8)
            // Writes of up to PIPE_BUF bytes are atomic.
            while write(orders, bytes, bytes.count) < 0, errno == EINTR {}
        }
    }
#endif
