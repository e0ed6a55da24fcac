#if os(Linux)
    import Foundation

    /// What ThreadSanitizer and AddressSanitizer know, where tests run under one.
    public enum Sanitizer {
        /// What is allocated, in KiB. A sanitizer gives memory back later than that, and notes something about every
        /// byte that was ever touched: what is resident says little then.
        public static var allocatedKiB: Int? { allocated.map { $0() >> 10 } }

        private static let allocated = dlsym(nil, "__sanitizer_get_current_allocated_bytes").map {
            unsafeBitCast($0, to: (@convention(c) () -> Int).self)
        }
    }
#endif
