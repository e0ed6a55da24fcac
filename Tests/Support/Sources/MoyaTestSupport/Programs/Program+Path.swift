#if os(macOS) || os(Linux)
    import Foundation

    extension Program {
        /// Where the program `name` is: in a folder of `PATH`, or where servers are. `nil` where it is not installed.
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
