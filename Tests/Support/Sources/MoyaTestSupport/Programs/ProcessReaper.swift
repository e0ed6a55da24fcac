#if os(macOS) || os(Linux)
    import Foundation

    /// A shell that cleans up after the test process, even if that is killed with SIGKILL. It kills
    /// the programs that the test process has started, and removes the folder of its files.
    ///
    /// The test process cannot do this itself: its global objects are never released, and SIGKILL
    /// cannot be caught.
    final class ProcessReaper: Sendable {
        /// `nil` where no shell could be started.
        static let shared = try? ProcessReaper()

        /// Folder for the files of tests. Its name is short, because the path of a Unix socket is
        /// limited to about 100 bytes.
        let folder: URL
        /// Write end of the shell's standard input. The kernel closes it when this process ends.
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
            // Servers started by root drop their privileges and read their files as another user.
            chmod(folder.path, 0o755)
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { close(ends[0]) }
            orders = ends[1]
            _ = try Program.spawn(
                "/bin/sh", ["-c", Self.script, "sh", folder.path], input: ends[0])
        }

        /// Registers the process group `group`, to be killed when this process ends.
        func began(_ group: pid_t) { tell("began \(group)\n") }

        /// Unregisters `group`. The system may assign its number to another process group.
        func ended(_ group: pid_t) { tell("ended \(group)\n") }

        private func tell(_ order: String) {
            let bytes = Array(order.utf8)
            // Writes of up to PIPE_BUF bytes are atomic.
            while write(orders, bytes, bytes.count) < 0, errno == EINTR {}
        }
    }
#endif
