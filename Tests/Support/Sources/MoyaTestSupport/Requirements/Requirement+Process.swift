import Foundation

extension Requirement {
    /// The environment variable `name`: set to `value`, or to any text that is not empty.
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
        /// The rights of root, to mount disks and to give files away.
        public static let root = Requirement(
            "root's rights", remedy: "Run the tests as root.", isMet: geteuid() == 0)

        /// A user for whom the permissions of files count.
        public static let unprivileged = Requirement(
            "a user other than root, who may read every file",
            remedy: "Run the tests as another user.", isMet: geteuid() != 0)

        /// The right to open `count` descriptors at once.
        public static func descriptors(_ count: Int) -> Requirement {
            Requirement(
                "\(count) descriptors",
                remedy: "Raise the hard limit of open files (ulimit -Hn) to \(count).",
                isMet: ResourceLimit.descriptors.maximum >= count)
        }

        /// A process without ThreadSanitizer and AddressSanitizer, which keep memory for themselves.
        public static let unsanitized = Requirement(
            "a process whose memory is its own", remedy: "Run the tests without --sanitize.",
            isMet: !isSanitized)

        private static let isSanitized = ["__tsan_init", "__asan_init"].contains { name in
            dlsym(dlopen(nil, RTLD_NOW), name as String) != nil
        }
    #endif
}
