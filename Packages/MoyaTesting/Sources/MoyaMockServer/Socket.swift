import Foundation

/// A POSIX error, with the system call that failed.
struct SocketError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String { "\(call): \(String(cString: strerror(code)))" }

    static func last(_ call: String) -> SocketError { SocketError(call: call, code: errno) }
}

/// A connected or listening TCP socket on 127.0.0.1. Its owner closes it. Connected sockets block.
struct Socket: Sendable {
    let descriptor: Int32

    /// Binds a socket to a free port without listening: the port refuses connections.
    static func reserve() throws -> (socket: Socket, port: Int) {
        // Close-on-exec from the start, where the system supports it: a child process must not hold
        // the port, even if it is started at this moment.
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #elseif canImport(Musl) || canImport(Android)
            let type = SOCK_STREAM | SOCK_CLOEXEC
        #else
            let type = SOCK_STREAM
        #endif
        let socket = Socket(descriptor: platformSocket(AF_INET, type, 0))
        guard socket.descriptor >= 0 else { throw SocketError.last("socket") }
        _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, length) == 0
                    && getsockname(socket.descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            defer { socket.close() }
            throw SocketError.last("bind")
        }
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    // MARK: Reading and writing

    /// Waits for data and reads it. Returns 0 after the peer has disconnected.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { return 0 }
        }
    }

    /// Writes all of `data`. Returns `false` if the peer has disconnected.
    func write(_ data: Data) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = send(descriptor, rest.baseAddress, rest.count, flags)
                if count > 0 { sent += count } else if errno != EINTR { return false }
            }
            return true
        }
    }

    /// Reads and discards data until the peer has disconnected.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { bytes in
            while read(into: bytes) > 0 {}
        }
    }

    // MARK: Closing

    /// Shuts the socket down, which wakes a thread that waits for it. The owner still has to close
    /// it.
    func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Closes the sending side. Reading is still possible.
    func shutDownWriting() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether closing the socket resets the connection.
    var isReset: Bool {
        var option = linger()
        var size = socklen_t(MemoryLayout<linger>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, &size) == 0
            && option.l_onoff != 0
    }

    /// Makes closing the socket reset the connection.
    func setReset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Closes the socket. Call ``shutDownWriting()`` first for the peer to see the end immediately:
    /// a child process that is just starting may hold a copy of the descriptor.
    func close() {
        _ = platformClose(descriptor)
    }

    // MARK: Accepting

    enum Acceptance {
        case connection(Socket)
        /// The client has disconnected before it was accepted.
        case none
        case noDescriptorLeft
        case failed
    }

    func listen(backlog: Int32) throws {
        // Non-blocking: the client may disconnect between `poll` and `accept`, which would then
        // block.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        guard platformListen(descriptor, backlog) == 0 else { throw SocketError.last("listen") }
    }

    /// Accepts the next connection without waiting.
    func accept() -> Acceptance {
        let accepted = platformAccept(descriptor)
        if accepted >= 0 {
            let socket = Socket(descriptor: accepted)
            socket.configure()
            return .connection(socket)
        }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .noDescriptorLeft
        case EINTR, ECONNABORTED, EAGAIN, EPROTO: return .none
        default: return .failed
        }
    }

    private func configure() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // On some systems an accepted connection inherits O_NONBLOCK from its listener.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
        #endif
    }
}

// Inside `Socket`, methods of the same names would hide the C functions.
private let platformSocket = socket
private let platformListen: @Sendable (Int32, Int32) -> Int32 = { listen($0, $1) }
private let platformClose: @Sendable (Int32) -> Int32 = { close($0) }

/// Accepts a connection, with close-on-exec from the start where the system supports it. Otherwise
/// a child process started before `FD_CLOEXEC` is set would inherit the connection and keep it
/// open, and the client would not see a reset.
private let platformAccept: @Sendable (Int32) -> Int32 = { listener in
    #if canImport(Glibc)
        if let acceptClosing {
            return acceptClosing(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        }
    #endif
    return accept(listener, nil, nil)
}

#if canImport(Glibc)
    private typealias AcceptWithFlags =
        @convention(c) (
            Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?, Int32
        ) -> Int32

    /// `accept4`, looked up at run time: glibc declares it only if `_GNU_SOURCE` is defined.
    private let acceptClosing = dlsym(dlopen(nil, RTLD_NOW), "accept4").map {
        unsafeBitCast($0, to: AcceptWithFlags.self)
    }
#endif
