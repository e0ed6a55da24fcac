#if os(macOS) || os(Linux)
    import Foundation

    /// Runs Python programs with the packages that `scripts/bootstrap --tests` has installed.
    public enum Python {
        /// Runs `python3` with the installed packages in `PYTHONPATH`.
        public static func run(_ arguments: [String], output: Pipe? = nil) throws -> Program {
            let path = ProcessInfo.processInfo.environment["PYTHONPATH"]
            return try Program(
                "/usr/bin/env", ["python3"] + arguments,
                environment: [
                    "PYTHONPATH": ([packages] + [path].compactMap { $0 }).joined(separator: ":")
                ], output: output)
        }

        /// Whether `python3` can import these modules, separated by commas.
        public static func has(_ modules: String) async -> Bool {
            await (try? run(["-c", "import \(modules)"]))?.hasSucceeded() == true
        }

        /// Folder of the packages that `scripts/bootstrap --tests` installs from PyPI.
        private static let packages: String = {
            var root = URL(fileURLWithPath: #filePath)
            for _ in 0..<6 { root.deleteLastPathComponent() }
            return root.appendingPathComponent(".build/python").path
        }()
    }
#endif
