#if CURL
import CMoyaCurl
import Foundation

/// Access to the process's file descriptors: their limit, and opening and closing one. Tests
/// replace it.
struct DescriptorTable: Sendable {
    enum Opened {
        case descriptor(Int32)
        /// The process or the system has no descriptor left.
        case none
        /// Opening failed for another reason.
        case failure
    }

    /// The limit on open descriptors. `nil` if it is too high to matter.
    let limit: @Sendable () -> Int?
    /// Opens a file, which gets the lowest free number.
    let open: @Sendable () -> Opened
    let close: @Sendable (Int32) -> Void

    /// The first reserved descriptor. 32 are reserved for the rest of the process, or an eighth of
    /// the limit if that is less.
    var ceiling: Int32 { limit().map { Int32($0 - min(32, $0 / 8)) } ?? .max }

    static let process = DescriptorTable(
        limit: { processLimit },
        open: {
            let descriptor = Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { return .descriptor(descriptor) }
            return errno == EMFILE || errno == ENFILE ? .none : .failure
        }, close: { _ = Foundation.close($0) })

    /// The process's current limit on open descriptors. `nil` if it is unknown, or a million or
    /// more.
    static var processLimit: Int? {
        let limit = moya_descriptor_limit()
        return (0..<1 << 20).contains(limit) ? Int(limit) : nil
    }
}

/// Distinguishes a socket from a later one with the same descriptor.
struct SocketIdentity: Equatable {
    let descriptor: Int32
    private let device: dev_t
    private let node: ino_t

    /// Returns `nil` if `descriptor` is closed.
    init?(_ descriptor: Int32) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return nil }
        self.descriptor = descriptor
        (device, node) = (information.st_dev, information.st_ino)
    }

    /// Whether the descriptor is still this socket's.
    var isOpen: Bool { SocketIdentity(descriptor) == self }
}

/// What the next read from a socket would find. Reads nothing.
enum SocketPeek {
    case bytes
    case nothing
    /// The peer has closed or reset the connection.
    case closed

    init(_ socket: Int32) {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        let isOpen = count < 0 && (errno == EAGAIN || errno == EINTR)
        self = count > 0 ? .bytes : isOpen ? .nothing : .closed
    }
}

/// Byte counts of a TCP connection, as the system keeps them.
struct ConnectionCounts {
    /// Bytes that the peer has acknowledged.
    var arrived: UInt64 = 0
    /// Bytes that the system has accepted: acknowledged, in flight and queued.
    var accepted: UInt64 = 0
    var nanosecondsSinceSending: UInt64 = 0
    /// Bytes received from the peer, read or unread.
    var received: UInt64 = 0

    /// Returns `nil` if the system keeps no counts.
    init?(of socket: Int32) {
        #if os(Linux)
        // Linux's `struct tcp_info` from 4.19 on, by byte offset. The C library declares only its
        // first half.
        let size = 216
        let isKnown = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { info in
            var length = socklen_t(size)
            guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, info.baseAddress, &length) == 0,
                length == size
            else { return false }
            func short(_ offset: Int) -> UInt64 {
                UInt64(info.load(fromByteOffset: offset, as: UInt32.self))
            }
            func long(_ offset: Int) -> UInt64 {
                info.load(fromByteOffset: offset, as: UInt64.self)
            }
            (arrived, received) = (long(120), long(128))
            // Retransmitted bytes may exceed sent bytes, as the two are not read atomically.
            accepted = long(200) - min(long(200), long(208)) + short(144)
            nanosecondsSinceSending = short(44) * 1_000_000
            return true
        }
        if !isKnown { return nil }
        #else
        return nil
        #endif
    }
}

extension ConnectionCounts {
    /// Number of bytes that the process has read from a TCP connection. `nil` if the system keeps
    /// no counts.
    static func bytesRead(from socket: Int32) -> UInt64? {
        #if os(Linux)
        var waiting: Int32 = 0
        guard let received = ConnectionCounts(of: socket)?.received,
            ioctl(socket, UInt(FIONREAD), &waiting) == 0
        else { return nil }
        return received - min(received, UInt64(max(0, waiting)))
        #else
        return nil
        #endif
    }
}

/// The addresses and ports of a connection's two ends. libcurl identifies a connection by them
/// before it writes a request.
///
/// A local port alone is not unique: connections to several remote addresses may share it.
struct ConnectionEndpoints: Hashable {
    let local: Address
    let remote: Address

    /// Few connections have the same local port, so that nothing else is hashed.
    func hash(into hasher: inout Hasher) { hasher.combine(local.port) }

    struct Address: Hashable {
        let port: Int32
        let host: String

        init(_ host: UnsafePointer<CChar>?, _ port: Int32) {
            self.host = host.map { String(cString: $0) } ?? ""
            self.port = port
        }

        /// The local IP address and port of `socket`. `nil` for other address families, such as
        /// Unix domain sockets.
        init?(localAddressOf socket: curl_socket_t) {
            guard let storage = sockaddr_storage(of: socket, getsockname) else { return nil }
            let family = Int32(storage.ss_family)
            guard family == AF_INET || family == AF_INET6 else { return nil }
            let bytes = withUnsafeBytes(of: storage) { Array($0) }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            // `sockaddr_in` and `sockaddr_in6` have the port at the same offset, but not the
            // address.
            let address = Array(bytes[(family == AF_INET ? 4 : 8)...])
            _ = inet_ntop(family, address, &text, socklen_t(INET6_ADDRSTRLEN))
            self.init(text, Int32(bytes[2]) << 8 | Int32(bytes[3]))
        }
    }
}

extension sockaddr_storage {
    /// The address of `socket` that `read` finds. `nil` if it has none.
    init?(
        of socket: Int32,
        _ read: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) {
        self.init()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &self) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { read(socket, $0, &length) }
        }
        if code != 0 { return nil }
    }
}
#endif
