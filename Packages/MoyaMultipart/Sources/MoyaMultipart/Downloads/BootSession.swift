import Foundation

/// Identifies the current boot.
enum BootSession {
    /// Identifier of the current boot. `nil` if the system provides none.
    /// Written bytes survive the end of the process, but only synchronised bytes survive a loss of
    /// power. After a reboot, a file may therefore have its full length but not its content.
    static let current: String? = {
        #if os(Linux)
            let file = "/proc/sys/kernel/random/boot_id"
            let text = try? String(contentsOfFile: file, encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines)
        #elseif canImport(Darwin)
            var text = [CChar](repeating: 0, count: 64)
            var count = text.count
            let isKnown = sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0
            let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            return isKnown ? String(decoding: bytes, as: UTF8.self) : nil
        #else
            return nil
        #endif
    }()
}
