#if os(macOS) || os(Linux)
    import Foundation

    /// Python programs of this repository's own tests, with what `scripts/bootstrap --tests` has put beside them.
    public enum Python {
        /// Runs `python3`, which finds what comes from PyPI.
        public static func run(_ arguments: [String], output: Pipe? = nil) throws -> Program {
            let path = ProcessInfo.processInfo.environment["PYTHONPATH"]
            return try Program(
                "/usr/bin/env", ["python3"] + arguments,
                environment: [
                    "PYTHONPATH": ([packages] + [path].compactMap { $0 }).joined(separator: ":")
                ], output: output)
        }

        /// Whether these modules, separated by commas, can be imported.
        public static func has(_ modules: String) async -> Bool {
            await (try? run(["-c", "import \(modules)"]))?.hasSucceeded() == true
        }

        /// Where `scripts/bootstrap --tests` puts what it has from PyPI.
        private static let packages: String = {
            var root = URL(fileURLWithPath: #filePath)
            for _ in 0..<6 { root.deleteLastPathComponent() }
            return root.appendingPathComponent(".build/python").path
        }()
    }
#endif
