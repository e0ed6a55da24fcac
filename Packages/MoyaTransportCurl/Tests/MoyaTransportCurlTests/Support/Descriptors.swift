import Foundation
import MoyaTestSupport

/// The descriptors of a process that is there for one test.
enum Descriptors {
    /// Allows 128, of which transports leave those from ``ceiling`` on to the rest of the process. Before anything is
    /// opened that is needed.
    static func limit() throws {
        closeInheritedSockets()
        try ResourceLimit.descriptors.set(128)
    }

    static let ceiling: Int32 = 112

    /// Opens descriptors until there is no lower one than `number`.
    static func fill(to number: Int32) {
        while case let descriptor = open("/dev/null", O_RDONLY),
            (0..<number - 1).contains(descriptor)
        {}
    }

    /// Those of tests that run at the same time in the other process: hundreds, where this one may have few.
    private static func closeInheritedSockets() {
        let folder = "/proc/self/fd"
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
            let target = try? files.destinationOfSymbolicLink(atPath: folder + "/" + name)
            if target?.hasPrefix("socket:") == true, let descriptor = Int32(name) {
                close(descriptor)
            }
        }
    }
}
