import MoyaInternals

#if os(Linux)
    import Foundation
    import MoyaCore
    import MoyaTestSupport

    /// Growth of a process's memory. Use in child processes.
    enum PeakMemory {
        /// Returns the peak memory during `body`, in KiB above the memory before it.
        ///
        /// - Parameter warmUp: Code that allocates memory whose size does not depend on the amount
        ///   of data.
        static func growth(
            afterWarmUp warmUp: () async throws -> Void = {}, _ body: () async throws -> Void
        ) async throws -> Int {
            try await warmUp()
            if let before = Sanitizer.allocatedKiB {
                return try await mostAllocated(during: body) - before
            }
            // Resets the peak to the current memory. Without permission to do so, the result is too
            // large.
            if let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") {
                try? file.write(contentsOf: Data("5".utf8))
            }
            let before = value("VmRSS")
            try await body()
            return value("VmHWM") - before
        }

        /// Polls the allocated memory, because sanitizers do not record a peak.
        private static func mostAllocated(during body: () async throws -> Void) async throws -> Int
        {
            let state = Locked((most: 0, isOver: false))
            Thread.detachNewThread {
                while !state.withLock(\.isOver) {
                    let now = Sanitizer.allocatedKiB ?? 0
                    state.withLock { $0.most = max($0.most, now) }
                    usleep(1000)
                }
            }
            defer { state.withLock { $0.isOver = true } }
            try await body()
            return state.withLock(\.most)
        }

        private static func value(_ name: String) -> Int {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line.flatMap { Int($0.filter(\.isNumber)) } ?? .max
        }
    }
#endif
