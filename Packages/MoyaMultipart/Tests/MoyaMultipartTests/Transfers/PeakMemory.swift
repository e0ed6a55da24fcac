import MoyaInternals

#if os(Linux)
    import Foundation
    import MoyaCore
    import MoyaTestSupport

    /// How much more memory a process has while it does something. For processes of their own.
    enum PeakMemory {
        /// The most there was at any time, in KiB above the beginning.
        ///
        /// - Parameter warmUp: What makes what is there once, however much is done with it.
        static func growth(
            afterWarmUp warmUp: () async throws -> Void = {}, _ body: () async throws -> Void
        ) async throws -> Int {
            try await warmUp()
            if let before = Sanitizer.allocatedKiB {
                return try await mostAllocated(during: body) - before
            }
            // The peak becomes what there is now. Where that may not be done, more is found than there is.
            if let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") {
                try? file.write(contentsOf: Data("5".utf8))
            }
            let before = value("VmRSS")
            try await body()
            return value("VmHWM") - before
        }

        /// Looks again and again: sanitizers do not note the most there was.
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
