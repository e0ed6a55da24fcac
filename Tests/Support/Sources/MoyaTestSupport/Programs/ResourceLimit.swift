#if os(macOS) || os(Linux)
    import Foundation

    /// A resource limit of this process (`getrlimit`).
    public enum ResourceLimit: Sendable {
        /// Maximum size of a file, in bytes. Writing more fails, as on a full disk.
        case fileSize
        /// Maximum number of open descriptors.
        case descriptors

        /// Sets the limit and returns the previous one.
        @discardableResult
        public func set(_ value: rlim_t) throws -> rlim_t {
            // The default action of SIGXFSZ, at the limit of a file's size, ends the process.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            guard getrlimit(resource, &limit) == 0 else { throw Self.failure }
            let usual = limit.rlim_cur
            limit.rlim_cur = value
            guard setrlimit(resource, &limit) == 0 else { throw Self.failure }
            return usual
        }

        /// The highest value that ``set(_:)`` accepts: the hard limit.
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
