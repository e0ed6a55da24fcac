#if CURL
import Foundation

/// Access to the process's file descriptors: their limit, and opening and closing one. Tests
/// replace it.
struct DescriptorTable: Sendable {
    enum Opened {
        case descriptor(Int32)
        /// The process or the system has no descriptor left.
        case none
        /// Opening failed for another reason.
        case failure
    }

    /// The limit on open descriptors. `nil` if it is too high to matter.
    let limit: @Sendable () -> Int?
    /// Opens a file, which gets the lowest free number.
    let open: @Sendable () -> Opened
    let close: @Sendable (Int32) -> Void

    /// The first reserved descriptor. 32 are reserved for the rest of the process, or an eighth of
    /// the limit if that is less.
    var ceiling: Int32 { limit().map { Int32($0 - min(32, $0 / 8)) } ?? .max }

    static let process = DescriptorTable(
        limit: { processLimit }, open: openNothing,
        close: { _ = closeDescriptor($0) })

    private static let openNothing: @Sendable () -> Opened = {
        let descriptor = openFile("/dev/null")
        if descriptor >= 0 { return .descriptor(descriptor) }
        return errno == EMFILE || errno == ENFILE ? .none : .failure
    }

    /// The process's current limit on open descriptors. `nil` if it is unknown, or a million or
    /// more.
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
