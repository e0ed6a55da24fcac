#if os(Linux)
    import Foundation
    import Glibc

    /// Has the system's resolver hang for names that end with `.stall.test`, until `release` is called. It stands
    /// before the C library's function of the same name in every test of this process.
    enum StallingNames {
        private static let gate = DispatchSemaphore(value: 0)
        private static let asked = DispatchSemaphore(value: 0)

        /// Waits until somebody looks such a name up.
        static func waitUntilAsked() async {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    asked.wait()
                    continuation.resume()
                }
            }
        }

        static func release() { gate.signal() }

        fileprivate typealias Lookup =
            @convention(c) (
                UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<addrinfo>?,
                UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
            ) -> Int32

        fileprivate static let system: Lookup? = {
            // RTLD_NEXT, a macro that Swift does not import.
            dlsym(UnsafeMutableRawPointer(bitPattern: -1), "getaddrinfo")
                .map { unsafeBitCast($0, to: Lookup.self) }
        }()

        fileprivate static func stall() {
            asked.signal()
            gate.wait()
        }
    }

    @_cdecl("getaddrinfo")
    public func stallingGetaddrinfo(
        _ name: UnsafePointer<CChar>?, _ service: UnsafePointer<CChar>?,
        _ hints: UnsafePointer<addrinfo>?,
        _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
    ) -> Int32 {
        if let name, String(cString: name).hasSuffix(".stall.test") {
            StallingNames.stall()
            return EAI_NONAME
        }
        return StallingNames.system?(name, service, hints, result) ?? EAI_SYSTEM
    }
#endif
