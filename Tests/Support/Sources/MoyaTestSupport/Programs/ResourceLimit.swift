#if os(macOS) || os(Linux)
    import Foundation

    /// What this process may have of the system.
    public enum ResourceLimit: Sendable {
        /// How many bytes a file may have. Writing more fails, as it does on a full disk.
        case fileSize
        /// How many descriptors may be open.
        case descriptors

        /// Sets the limit. Returns what it was.
        @discardableResult
        public func set(_ value: rlim_t) throws -> rlim_t {
            // A file that has grown too long is not to end the process.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            guard getrlimit(resource, &limit) == 0 else { throw Self.failure }
            let usual = limit.rlim_cur
            limit.rlim_cur = value
            guard setrlimit(resource, &limit) == 0 else { throw Self.failure }
            return usual
        }

        /// The highest value that ``set(_:)`` takes.
        public var maximum: rlim_t {
            var limit = rlimit()
            return getrlimit(resource, &limit) == 0 ? limit.rlim_max : 0
        }

        private static var failure: POSIXError { POSIXError(.init(rawValue: errno) ?? .EPERM) }

        #if canImport(Glibc)
            private var resource: __rlimit_resource_t {
                switch self {
                case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
                case .descriptors: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                }
            }
        #else
            private var resource: Int32 {
                switch self {
                case .fileSize: RLIMIT_FSIZE
                case .descriptors: RLIMIT_NOFILE
                }
            }
        #endif
    }
#endif
