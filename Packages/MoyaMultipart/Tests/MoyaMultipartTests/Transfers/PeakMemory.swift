#if os(Linux)
    import Foundation

    /// How much more memory a process has while it does something. For processes of their own.
    enum PeakMemory {
        /// The most there was at any time, in KiB above the beginning.
        ///
        /// - Parameter warmUp: What makes what is there once, however much is done with it.
        static func growth(
            afterWarmUp warmUp: () async throws -> Void = {}, _ body: () async throws -> Void
        ) async throws -> Int {
            try await warmUp()
            // The peak becomes what there is now. Where that may not be done, more is found than there is.
            if let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") {
                try? file.write(contentsOf: Data("5".utf8))
            }
            let before = value("VmRSS")
            try await body()
            return value("VmHWM") - before
        }

        private static func value(_ name: String) -> Int {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line.flatMap { Int($0.filter(\.isNumber)) } ?? .max
        }
    }
#endif
