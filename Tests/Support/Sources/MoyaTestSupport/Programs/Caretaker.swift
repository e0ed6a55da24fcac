#if os(macOS) || os(Linux)
    import Foundation

    /// A shell beside the process of tests that sees its end, even by SIGKILL, and then ends what that process has
    /// started and removes the folder it has kept its files in.
    ///
    /// Nothing in the process itself could: objects that live to its end are never released, and nobody is asked
    /// before a SIGKILL.
    final class Caretaker: Sendable {
        /// `nil` where no shell could be started.
        static let shared = try? Caretaker()

        /// Where tests keep their files. In the folder for temporary files, with a short name: paths of sockets have
        /// about a hundred bytes.
        let folder: URL
        /// The shell reads the other end. What this process holds is closed as soon as it ends.
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
            # One of them may have written once more.
            rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
            """

        private init() throws {
            let temporary = FileManager.default.temporaryDirectory
            var path = Array(temporary.appendingPathComponent("tests-XXXXXX").path.utf8CString)
            guard mkdtemp(&path) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            let name = path.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) }
            folder = URL(fileURLWithPath: name ?? "", isDirectory: true)
            // Servers that root starts read their files as somebody else.
            chmod(folder.path, 0o755)
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { close(ends[0]) }
            orders = ends[1]
            _ = try Program.spawn(
                "/bin/sh", ["-c", Self.script, "sh", folder.path], input: ends[0])
        }

        /// Has the programs of `group` end with this process.
        func began(_ group: pid_t) { tell("began \(group)\n") }

        /// Has others who may get the number of `group` left alone.
        func ended(_ group: pid_t) { tell("ended \(group)\n") }

        private func tell(_ order: String) {
            let bytes = Array(order.utf8)
            // So few bytes are written as a whole.
            while write(orders, bytes, bytes.count) < 0, errno == EINTR {}
        }
    }
#endif
