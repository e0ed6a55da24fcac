#if CURL
import Foundation

/// Distinguishes a socket from a later one with the same descriptor.
struct SocketIdentity: Equatable {
    let descriptor: Int32
    private let device: dev_t
    private let node: ino_t

    /// Returns `nil` if `descriptor` is closed.
    init?(_ descriptor: Int32) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return nil }
        self.descriptor = descriptor
        (device, node) = (information.st_dev, information.st_ino)
    }

    /// Whether the descriptor is still this socket's.
    var isOpen: Bool { SocketIdentity(descriptor) == self }
}
#endif
