import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A POSIX error, with the call that failed.
struct SocketError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String { "\(call): \(String(cString: strerror(code)))" }

    static func last(_ call: String) -> SocketError { SocketError(call: call, code: errno) }
}

/// A connected or listening TCP socket on 127.0.0.1. Blocking, and closed by its owner.
struct Socket: Sendable {
    let descriptor: Int32

    /// A listening socket on a port of the system's choice.
    static func listen(backlog: Int32 = 1024) throws -> (socket: Socket, port: Int) {
        let (socket, port) = try reserve()
        guard platformListen(socket.descriptor, backlog) == 0 else {
            defer { socket.close() }
            throw SocketError.last("listen")
        }
        return (socket, port)
    }

    /// A socket that has a port and does not listen: whoever connects to it is refused.
    static func reserve() throws -> (socket: Socket, port: Int) {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let socket = Socket(descriptor: platformSocket(AF_INET, type, 0))
        guard socket.descriptor >= 0 else { throw SocketError.last("socket") }
        // A child process must not hold the port.
        _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC)
        var address = loopback(port: 0)
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

    /// The next connection, or `nil` once the socket has been shut down.
    func accept() -> Socket? {
        while true {
            let descriptor = platformAccept(self.descriptor, nil, nil)
            if descriptor >= 0 {
                let socket = Socket(descriptor: descriptor)
                socket.configure()
                return socket
            }
            // Too many open files: the client that gives one up lets the next one in.
            if errno == EMFILE || errno == ENFILE {
                usleep(1000)
            } else if errno != EINTR && errno != ECONNABORTED {
                return nil
            }
        }
    }

    private func configure() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
        #endif
    }

    /// Reads what is there, waiting for the first byte. 0 means that the peer is done.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { return 0 }
        }
    }

    /// Writes all of `bytes`. `false` means that the peer is gone.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let count = send(descriptor, rest.baseAddress, rest.count, flags)
            if count > 0 { sent += count } else if errno != EINTR { return false }
        }
        return true
    }

    func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { write($0) }
    }

    /// Waits until the peer has left or `seconds` are over. Returns whether it has left.
    func waitForDisconnect(seconds: TimeInterval) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        while true {
            let rest = end.timeIntervalSinceNow
            guard rest > 0 else { return false }
            var entry = pollfd(descriptor: descriptor)
            _ = poll(&entry, 1, Int32(min(rest * 1000 + 1, 1000)))
            if entry.revents == 0 { continue }
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            if count <= 0 { return true }
            // The peer has sent more instead of leaving: nothing to wait upon but the time.
            usleep(1000)
        }
    }

    /// Wakes whoever waits on the socket. It stays open until its owner closes it.
    func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Closes with a reset instead of an orderly end.
    func resetAndClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        _ = platformClose(descriptor)
    }

    /// Connects to `port` and leaves at once: wakes a listener that is waiting in `accept`.
    static func nudge(port: Int) {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let socket = Socket(descriptor: platformSocket(AF_INET, type, 0))
        guard socket.descriptor >= 0 else { return }
        var address = loopback(port: UInt16(port))
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        socket.close()
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

extension pollfd {
    fileprivate init(descriptor: Int32) {
        self.init(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
}

// `Socket` has methods of the same names, so the C functions go by others.
private let platformSocket = socket
private let platformListen: @Sendable (Int32, Int32) -> Int32 = { listen($0, $1) }
private let platformAccept = accept
private let platformClose: @Sendable (Int32) -> Int32 = { close($0) }
