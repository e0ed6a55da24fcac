#if CURL
import Foundation

/// The file descriptors of the process, as far as it tells of them: what may be opened, and what has been.
struct DescriptorTable: Sendable {
    enum Opened {
        case descriptor(Int32)
        /// There is no descriptor left.
        case none
        /// It cannot be opened for another reason.
        case failure
    }

    /// Number of descriptors there may be. `nil` where that is no matter.
    let limit: @Sendable () -> Int?
    /// Opens something: it gets the lowest number that is free.
    let open: @Sendable () -> Opened
    let close: @Sendable (Int32) -> Void

    /// Below the limit by what others in the process need for a moment: 32, or an eighth where that is less.
    var ceiling: Int32 { limit().map { Int32($0 - min(32, $0 / 8)) } ?? .max }

    static let process = DescriptorTable(
        limit: { processLimit }, open: openNothing,
        close: { _ = closeDescriptor($0) })

    private static let openNothing: @Sendable () -> Opened = {
        let descriptor = openFile("/dev/null")
        if descriptor >= 0 { return .descriptor(descriptor) }
        return errno == EMFILE || errno == ENFILE ? .none : .failure
    }

    /// Number of descriptors that the process may have now. `nil` where that is no matter.
    static var processLimit: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
        let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
        let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        return result == 0 && limit.rlim_cur < 1 << 20 ? Int(limit.rlim_cur) : nil
    }
}

private let openFile: @Sendable (String) -> Int32 = { open($0, O_RDONLY | O_CLOEXEC) }
private let closeDescriptor: @Sendable (Int32) -> Int32 = { close($0) }
#endif
