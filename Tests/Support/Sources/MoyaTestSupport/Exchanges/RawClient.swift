import Foundation
import MoyaMockServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// A TCP client that sends and receives raw bytes. Each receive has a timeout of 60 s.
public struct RawClient {
    /// A failed connection or receive.
    public enum Failure: Error, Equatable {
        /// No socket could be created, or `connect` failed.
        case refused
        /// The server has reset the connection.
        case reset
        /// No byte arrived within 60 s, or the receive failed for another reason.
        case timedOut
    }

    private let descriptor: Int32

    private init(port: Int) throws {
        // Child processes of other tests must not inherit the socket: they would keep it open.
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #elseif canImport(Musl) || canImport(Android)
            let type = SOCK_STREAM | SOCK_CLOEXEC
        #else
            let type = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw Failure.refused }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(
                descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            _ = close(descriptor)
            throw Failure.refused
        }
    }

    /// Runs `body` with a connection to `port`, on a new thread, and closes the connection.
    ///
    /// - Throws: ``Failure/refused`` if nothing listens on `port`; the error of `body`.
    public static func connected<Result: Sendable>(
        to port: Int, _ body: @escaping @Sendable (RawClient) throws -> Result
    ) async throws -> Result {
        try await onThread {
            let client = try RawClient(port: port)
            defer { client.hangUp() }
            return try body(client)
        }
    }

    /// Whether the port that `end` returns refuses connections. Another server may take a free port
    /// at once, so this tries up to five times.
    public static func isRefused(after end: () async throws -> Int) async throws -> Bool {
        for _ in 0..<5 {
            do {
                try await connected(to: end()) { _ in }
            } catch Failure.refused {
                return true
            }
        }
        return false
    }

    /// Sends `text`, closes the sending half of the connection, and returns the whole response.
    public static func exchange(_ text: String, with server: MockServer) async throws -> String {
        try await connected(to: server.port) { client in
            client.send(text)
            client.endSending()
            return String(decoding: try client.receiveAll(), as: UTF8.self)
        }
    }

    /// Sends `text` in UTF-8.
    public func send(_ text: String) { send(Data(text.utf8)) }

    /// Sends `data`. Stops without an error once the server has closed the connection.
    public func send(_ data: Data) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = platformSend(descriptor, rest.baseAddress, rest.count, flags)
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// Closes the sending half of the connection.
    public func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Waits for the next bytes. Empty once the server has closed its half of the connection.
    public func receive() throws -> Data {
        var data = Data(count: 256 << 10)
        let count = data.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw errno == ECONNRESET ? Failure.reset : Failure.timedOut }
        return data.prefix(count)
    }

    /// Receives until the server closes its half of the connection.
    public func receiveAll() throws -> Data {
        var all = Data()
        while true {
            let piece = try receive()
            if piece.isEmpty { return all }
            all += piece
        }
    }

    /// Receives until the received bytes end with `end`, or the server closes its half.
    public func receive(until end: String) throws -> String {
        var all = Data()
        while true {
            let piece = try receive()
            all += piece
            if piece.isEmpty || all.suffix(end.utf8.count) == Data(end.utf8) {
                return String(decoding: all, as: UTF8.self)
            }
        }
    }

    private func hangUp() { _ = close(descriptor) }
}

// Inside `RawClient`, `send` is its method.
private let platformSend: @Sendable (Int32, UnsafeRawPointer?, Int, Int32) -> Int = {
    send($0, $1, $2, $3)
}
