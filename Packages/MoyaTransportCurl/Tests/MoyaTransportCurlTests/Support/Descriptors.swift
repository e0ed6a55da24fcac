import Foundation
import MoyaTestSupport

/// Descriptors of a child process that runs one test.
enum Descriptors {
    /// Sets the limit to 128, of which transports reserve those from ``ceiling`` on. Call it before
    /// the test opens descriptors.
    static func limit() throws {
        InheritedSockets.close()
        try ResourceLimit.descriptors.set(128)
    }

    static let ceiling: Int32 = 112

    /// Opens descriptors until all below `number` are in use.
    static func fill(to number: Int32) {
        while case let descriptor = open("/dev/null", O_RDONLY),
            (0..<number - 1).contains(descriptor)
        {}
    }
}
