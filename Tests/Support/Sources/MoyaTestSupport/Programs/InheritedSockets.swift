#if os(macOS) || os(Linux)
    import Foundation

    /// Sockets that an exit test inherits on Linux: other tests of the parent process have hundreds
    /// open.
    public enum InheritedSockets {
        /// Closes all sockets of this process. Call it before the exit test opens any.
        public static func close() {
            let folder = "/proc/self/fd"
            let files = FileManager.default
            for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
                let target = try? files.destinationOfSymbolicLink(atPath: folder + "/" + name)
                if target?.hasPrefix("socket:") == true, let descriptor = Int32(name) {
                    Foundation.close(descriptor)
                }
            }
        }
    }
#endif
