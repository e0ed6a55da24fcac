import Foundation

/// Tells one start of the machine from another.
enum BootSession {
    /// What is the same until the machine starts again. `nil` where the system does not say.
    ///
    /// What a process has written outlives the process, but only what was synchronised outlives a loss of power: until
    /// then a file may be as long as it was to be, with nothing in it.
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
