// Types of Darwin's C library that Glibc declares otherwise. A module of its own, because Swift
// does not let one module declare the type `stat` and the function `stat`.
//
// Sources: Apple's headers sys/_types.h, sys/stat.h, sys/socket.h, netinet/in.h, sys/signal.h,
// time.h and os/lock.h, which developer.apple.com shows for the constants and types alone.
import Linux

// For MoyaTransportCurl alone. Headers of libcurl's module declare names of Glibc. A name here, or
// in a module that exports this one, hides a name of a module that this one exports.
#if CURL
    @_exported import LinuxCurl
#endif

// sys/_types/_*_t.h; developer.apple.com/documentation/kernel/mode_t and others.
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias mode_t = UInt16
public typealias nfds_t = UInt32
public typealias off_t = Int64
public typealias pthread_key_t = UInt
public typealias sa_family_t = UInt8
public typealias sigset_t = UInt32
public typealias socklen_t = UInt32

/// sys/stat.h; developer.apple.com/documentation/kernel/stat
public struct stat {
    public init() { fatalError() }
    public var st_dev: dev_t
    public var st_mode: mode_t
    public var st_nlink: UInt16
    public var st_ino: ino_t
    public var st_uid: UInt32
    public var st_gid: UInt32
    public var st_rdev: dev_t
    public var st_atimespec: timespec
    public var st_mtimespec: timespec
    public var st_ctimespec: timespec
    public var st_birthtimespec: timespec
    public var st_size: off_t
    public var st_blocks: Int64
    public var st_blksize: Int32
    public var st_flags: UInt32
    public var st_gen: UInt32
}

/// netinet/in.h; developer.apple.com/documentation/kernel/sockaddr_in
public struct sockaddr_in {
    public init() { fatalError() }
    public var sin_len: UInt8
    public var sin_family: sa_family_t
    public var sin_port: UInt16
    public var sin_addr: in_addr
    public var sin_zero: (CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar)
}

/// netinet6/in6.h; developer.apple.com/documentation/kernel/sockaddr_in6
public struct sockaddr_in6 {
    public init() { fatalError() }
    public var sin6_len: UInt8
    public var sin6_family: sa_family_t
    public var sin6_port: UInt16
    public var sin6_flowinfo: UInt32
    public var sin6_addr: in6_addr
    public var sin6_scope_id: UInt32
}

/// sys/socket.h; developer.apple.com/documentation/kernel/sockaddr_storage
public struct sockaddr_storage {
    public init() { fatalError() }
    public var ss_len: UInt8
    public var ss_family: sa_family_t
}

/// time.h. An enumeration of C, so not an integer as on Linux.
public struct clockid_t: Hashable, RawRepresentable, Sendable {
    public var rawValue: UInt32
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// os/lock.h; developer.apple.com/documentation/os/os_unfair_lock_s
public struct os_unfair_lock_s {
    public init() { fatalError() }
}
public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>
