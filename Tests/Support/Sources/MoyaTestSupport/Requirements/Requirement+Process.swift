import Foundation

extension Requirement {
    /// The environment variable `name` is set to `value`, or with `nil` to any non-empty text.
    public static func environment(_ name: String, _ value: String? = nil) -> Requirement {
        Requirement(
            "the environment variable \(name)",
            remedy: value.map { "Set \(name)=\($0)." } ?? "Set it.",
            isMet: isSet(name, value))
    }

    private static func isSet(_ name: String, _ value: String?) -> Bool {
        let found = ProcessInfo.processInfo.environment[name] ?? ""
        return value.map { $0 == found } ?? !found.isEmpty
    }

    #if os(macOS) || os(Linux)
        /// Root privileges, for mounting disks and changing the owners of files.
        public static let root = Requirement(
            "root privileges", remedy: "Run the tests as root.", isMet: geteuid() == 0)

        /// A hard limit of at least `count` open descriptors.
        public static func descriptors(_ count: Int) -> Requirement {
            Requirement(
                "\(count) descriptors",
                remedy: "Raise the hard limit of open files (ulimit -Hn) to \(count).",
                isMet: ResourceLimit.descriptors.maximum >= count)
        }

        /// A build without ThreadSanitizer and AddressSanitizer, for tests that measure memory.
        public static let unsanitized = Requirement(
            "a build without sanitizers", remedy: "Run the tests without --sanitize.",
            isMet: !isSanitized)

        private static let isSanitized = ["__tsan_init", "__asan_init"].contains { name in
            dlsym(dlopen(nil, RTLD_NOW), name as String) != nil
        }
    #endif
}
