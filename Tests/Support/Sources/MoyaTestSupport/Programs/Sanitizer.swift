#if os(Linux)
    import Foundation

    /// Statistics of ThreadSanitizer or AddressSanitizer, if the tests run under one.
    public enum Sanitizer {
        /// Allocated memory, in KiB. `nil` without a sanitizer.
        ///
        /// Resident memory says little under a sanitizer: it returns freed memory late, and keeps
        /// shadow memory for every byte that was ever used.
        public static var allocatedKiB: Int? { allocated.map { $0() >> 10 } }

        private static let allocated = dlsym(nil, "__sanitizer_get_current_allocated_bytes").map {
            unsafeBitCast($0, to: (@convention(c) () -> Int).self)
        }
    }
#endif
