// The C library as Foundation exports it on Apple's platforms, for the names that the sources use.
// The check lets Foundation export this module in place of Glibc, so a name of Glibc's alone is an
// error.
//
// Sources: Apple's headers and manual pages, and the Swift module Darwin of the standard library's
// overlay (stdlib/public/Platform), which declares what Swift cannot import from C.
import Linux
@_exported import PosixTypes

// Declared alike by both systems.
@_exported import struct Linux.in6_addr
@_exported import struct Linux.in_addr
@_exported import struct Linux.linger
@_exported import struct Linux.pollfd
@_exported import struct Linux.sockaddr
@_exported import struct Linux.timespec
@_exported import struct Linux.winsize
@_exported import func Linux.accept
@_exported import func Linux.bind
@_exported import func Linux.close
@_exported import func Linux.connect
@_exported import func Linux.dup2
@_exported import func Linux.exp
@_exported import func Linux.fcntl
@_exported import func Linux.free
@_exported import func Linux.fsync
@_exported import func Linux.getenv
@_exported import func Linux.geteuid
@_exported import func Linux.getpeername
@_exported import func Linux.getsockname
@_exported import func Linux.getsockopt
@_exported import func Linux.inet_aton
@_exported import func Linux.inet_ntop
@_exported import func Linux.inet_pton
@_exported import func Linux.ioctl
@_exported import func Linux.isatty
@_exported import func Linux.kill
@_exported import func Linux.link
@_exported import func Linux.listen
@_exported import func Linux.memchr
@_exported import func Linux.memcmp
@_exported import func Linux.open
@_exported import func Linux.pipe
@_exported import func Linux.pow
@_exported import func Linux.read
@_exported import func Linux.realloc
@_exported import func Linux.recv
@_exported import func Linux.remove
@_exported import func Linux.rename
@_exported import func Linux.send
@_exported import func Linux.setsockopt
@_exported import func Linux.shutdown
@_exported import func Linux.socket
@_exported import func Linux.strerror
@_exported import func Linux.unlink
@_exported import func Linux.usleep
@_exported import func Linux.write
@_exported import var Linux.AF_INET
@_exported import var Linux.AF_INET6
@_exported import var Linux.AF_UNIX
@_exported import var Linux.EACCES
@_exported import var Linux.EAGAIN
@_exported import var Linux.ECONNABORTED
@_exported import var Linux.EEXIST
@_exported import var Linux.EINTR
@_exported import var Linux.EMFILE
@_exported import var Linux.ENFILE
@_exported import var Linux.ENOBUFS
@_exported import var Linux.ENOENT
@_exported import var Linux.ENOMEM
@_exported import var Linux.ENOTSUP
@_exported import var Linux.EOPNOTSUPP
@_exported import var Linux.EPERM
@_exported import var Linux.EPROTO
@_exported import var Linux.EWOULDBLOCK
@_exported import var Linux.FD_CLOEXEC
@_exported import var Linux.F_GETFD
@_exported import var Linux.F_GETFL
@_exported import var Linux.F_SETFD
@_exported import var Linux.F_SETFL
@_exported import var Linux.INET6_ADDRSTRLEN
@_exported import var Linux.LOCK_EX
@_exported import var Linux.LOCK_NB
@_exported import var Linux.LOCK_UN
@_exported import var Linux.O_CLOEXEC
@_exported import var Linux.O_CREAT
@_exported import var Linux.O_DIRECTORY
@_exported import var Linux.O_EXCL
@_exported import var Linux.O_NOFOLLOW
@_exported import var Linux.O_NONBLOCK
@_exported import var Linux.O_RDONLY
@_exported import var Linux.O_RDWR
@_exported import var Linux.O_WRONLY
@_exported import var Linux.SEEK_SET
@_exported import var Linux.SIGPIPE
@_exported import var Linux.SIG_BLOCK
@_exported import var Linux.SOL_SOCKET
@_exported import var Linux.SO_LINGER
@_exported import var Linux.TCP_NODELAY
@_exported import var Linux.errno

// Macros with the same values on each platform, which are enumerations or other integers on Linux.
// sys/socket.h, netinet/in.h, poll.h
public let IPPROTO_TCP: Int32 = 6
public let MSG_DONTWAIT: Int32 = 0x80
public let MSG_PEEK: Int32 = 0x2
public let POLLERR: Int32 = 0x8
public let POLLHUP: Int32 = 0x10
public let POLLIN: Int32 = 0x1
public let POLLNVAL: Int32 = 0x20
public let POLLOUT: Int32 = 0x4
public let SHUT_RDWR: Int32 = 2
public let SHUT_WR: Int32 = 1
public let SOCK_STREAM: Int32 = 1

// Darwin's alone. sys/fcntl.h, sys/param.h, sys/socket.h
public let F_GETPATH: Int32 = 50
public let MAXPATHLEN: Int32 = 1024
public let SO_NOSIGPIPE: Int32 = 0x1022

/// time.h
public var CLOCK_MONOTONIC: PosixTypes.clockid_t { .init(rawValue: 6) }

// Swift's overlay, Platform.swift
public var S_IFIFO: PosixTypes.mode_t { 0o010_000 }
public var S_IFMT: PosixTypes.mode_t { 0o170_000 }
public var S_IFREG: PosixTypes.mode_t { 0o100_000 }
public var S_IFSOCK: PosixTypes.mode_t { 0o140_000 }

// Swift's overlay, TiocConstants.swift. FIONREAD is not among them: Swift does not import the
// macro.
public var TIOCGWINSZ: UInt { 0x4008_7468 }

// time.h, sys/stat.h, sys/file.h, unistd.h, poll.h, signal.h, sys/sysctl.h: functions with types
// that differ.
@discardableResult
public func clock_gettime(_: PosixTypes.clockid_t, _: UnsafeMutablePointer<timespec>!) -> Int32 {
    0
}
@discardableResult
public func fchmod(_: Int32, _: PosixTypes.mode_t) -> Int32 { 0 }
@discardableResult
public func flock(_: Int32, _: Int32) -> Int32 { 0 }
@discardableResult
public func fstat(_: Int32, _: UnsafeMutablePointer<PosixTypes.stat>!) -> Int32 { 0 }
@discardableResult
public func ftruncate(_: Int32, _: PosixTypes.off_t) -> Int32 { 0 }
@discardableResult
public func lstat(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<PosixTypes.stat>!) -> Int32 {
    0
}
@discardableResult
public func poll(_: UnsafeMutablePointer<pollfd>!, _: PosixTypes.nfds_t, _: Int32) -> Int32 { 0 }
@discardableResult
public func pread(_: Int32, _: UnsafeMutableRawPointer!, _: Int, _: PosixTypes.off_t) -> Int { 0 }
@discardableResult
public func pwrite(_: Int32, _: UnsafeRawPointer!, _: Int, _: PosixTypes.off_t) -> Int { 0 }
@discardableResult
public func sigaddset(_: UnsafeMutablePointer<PosixTypes.sigset_t>!, _: Int32) -> Int32 { 0 }
@discardableResult
public func sigemptyset(_: UnsafeMutablePointer<PosixTypes.sigset_t>!) -> Int32 { 0 }
@discardableResult
public func stat(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<PosixTypes.stat>!) -> Int32 { 0 }
@discardableResult
public func sysctlbyname(
    _: UnsafePointer<CChar>!, _: UnsafeMutableRawPointer!, _: UnsafeMutablePointer<Int>!,
    _: UnsafeMutableRawPointer!, _: Int
) -> Int32 { 0 }

// pthread.h, whose pointers have nullability on Apple's platforms
@discardableResult
public func pthread_getspecific(_: PosixTypes.pthread_key_t) -> UnsafeMutableRawPointer? { nil }
@discardableResult
public func pthread_key_create(
    _: UnsafeMutablePointer<PosixTypes.pthread_key_t>,
    _: (@convention(c) (UnsafeMutableRawPointer) -> Void)?
) -> Int32 { 0 }
@discardableResult
public func pthread_setspecific(_: PosixTypes.pthread_key_t, _: UnsafeRawPointer?) -> Int32 { 0 }
@discardableResult
public func pthread_sigmask(
    _: Int32, _: UnsafePointer<PosixTypes.sigset_t>?, _: UnsafeMutablePointer<PosixTypes.sigset_t>?
) -> Int32 { 0 }

// os/lock.h; developer.apple.com/documentation/os/os_unfair_lock_lock(_:)
@available(macOS 10.12, iOS 10.0, *)
@available(*, noasync)
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {}
@available(macOS 10.12, iOS 10.0, *)
@available(*, noasync)
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {}

/// Swift's overlay, POSIXError.swift; developer.apple.com/documentation/foundation/posixerrorcode
public enum POSIXErrorCode: Int32, Sendable {
    case EPERM = 1
    case ENOENT = 2
    case ESRCH = 3
    case EINTR = 4
    case EIO = 5
    case ENXIO = 6
    case E2BIG = 7
    case ENOEXEC = 8
    case EBADF = 9
    case ECHILD = 10
    case EDEADLK = 11
    case ENOMEM = 12
    case EACCES = 13
    case EFAULT = 14
    case ENOTBLK = 15
    case EBUSY = 16
    case EEXIST = 17
    case EXDEV = 18
    case ENODEV = 19
    case ENOTDIR = 20
    case EISDIR = 21
    case EINVAL = 22
    case ENFILE = 23
    case EMFILE = 24
    case ENOTTY = 25
    case ETXTBSY = 26
    case EFBIG = 27
    case ENOSPC = 28
    case ESPIPE = 29
    case EROFS = 30
    case EMLINK = 31
    case EPIPE = 32
    case EDOM = 33
    case ERANGE = 34
    case EAGAIN = 35
    case EINPROGRESS = 36
    case EALREADY = 37
    case ENOTSOCK = 38
    case EDESTADDRREQ = 39
    case EMSGSIZE = 40
    case EPROTOTYPE = 41
    case ENOPROTOOPT = 42
    case EPROTONOSUPPORT = 43
    case ESOCKTNOSUPPORT = 44
    case ENOTSUP = 45
    case EPFNOSUPPORT = 46
    case EAFNOSUPPORT = 47
    case EADDRINUSE = 48
    case EADDRNOTAVAIL = 49
    case ENETDOWN = 50
    case ENETUNREACH = 51
    case ENETRESET = 52
    case ECONNABORTED = 53
    case ECONNRESET = 54
    case ENOBUFS = 55
    case EISCONN = 56
    case ENOTCONN = 57
    case ESHUTDOWN = 58
    case ETOOMANYREFS = 59
    case ETIMEDOUT = 60
    case ECONNREFUSED = 61
    case ELOOP = 62
    case ENAMETOOLONG = 63
    case EHOSTDOWN = 64
    case EHOSTUNREACH = 65
    case ENOTEMPTY = 66
    case EPROCLIM = 67
    case EUSERS = 68
    case EDQUOT = 69
    case ESTALE = 70
    case EREMOTE = 71
    case EBADRPC = 72
    case ERPCMISMATCH = 73
    case EPROGUNAVAIL = 74
    case EPROGMISMATCH = 75
    case EPROCUNAVAIL = 76
    case ENOLCK = 77
    case ENOSYS = 78
    case EFTYPE = 79
    case EAUTH = 80
    case ENEEDAUTH = 81
    case EPWROFF = 82
    case EDEVERR = 83
    case EOVERFLOW = 84
    case EBADEXEC = 85
    case EBADARCH = 86
    case ESHLIBVERS = 87
    case EBADMACHO = 88
    case ECANCELED = 89
    case EIDRM = 90
    case ENOMSG = 91
    case EILSEQ = 92
    case ENOATTR = 93
    case EBADMSG = 94
    case EMULTIHOP = 95
    case ENODATA = 96
    case ENOLINK = 97
    case ENOSR = 98
    case ENOSTR = 99
    case EPROTO = 100
    case ETIME = 101
    case ENOTRECOVERABLE = 104
    case EOWNERDEAD = 105
    case EQFULL = 106
}
