import Foundation

extension CurlLibrary {
    /// How many descriptors there may be in the process. `nil` where that is no matter.
    static var descriptorLimit: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        return result == 0 && limit.rlim_cur < 1 << 20 ? Int(limit.rlim_cur) : nil
    }
}
