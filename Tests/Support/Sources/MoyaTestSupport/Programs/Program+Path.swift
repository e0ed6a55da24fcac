#if os(macOS) || os(Linux)
    import Foundation

    extension Program {
        /// Returns the path of the program `name`, or `nil` if it is not installed. Looks in the
        /// folders of `PATH`, then in the usual folders of servers.
        public static func path(of name: String) -> String? {
            let folders =
                (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
                .map(String.init) + [
                    "/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin",
                ]
            return folders.map { "\($0)/\(name)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }
#endif
