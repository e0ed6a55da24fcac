import Dispatch
import MoyaCore

/// A TCP connection. Its blocking system calls run on a dispatch queue, not on the caller's thread.
///
/// Sendable, because `lock` protects the mutable state, and the descriptor is opened, used and
/// closed on `queue` alone. ``cancel()`` calls `shutdown` from any thread while it holds the lock,
/// so that `queue` cannot close the descriptor at the same time.
final class Connection: @unchecked Sendable {
    private let queue = DispatchQueue(label: "SocketTransport.Connection")
    private let timeout: TimeInterval
    private let lock = NSLock()
    private var descriptor: Int32?
    private var isCancelled = false

    /// - Parameter timeout: Idle timeout of each call, in seconds. 0 or less means no timeout.
    init(timeout: TimeInterval) {
        self.timeout = timeout
    }

    deinit { release() }

    /// Makes a running `connect`, `send` or `recv` return. ``open(host:port:)``, ``write(_:)`` and
    /// ``read()`` then throw `URLError(.cancelled)`, as do later calls of them.
    ///
    /// `getaddrinfo` and a `connect` that begins after this method are not interrupted:
    /// ``open(host:port:)`` throws when they have returned.
    func cancel() {
        lock.withLock {
            isCancelled = true
            if let descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Closes the connection once the calls before it have returned.
    func end() {
        queue.async { self.release() }
    }

    func open(host: String, port: Int) async throws {
        try await onQueue {
            var hints = addrinfo()
            hints.ai_socktype = streamSocket
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let list else {
                throw URLError(.cannotFindHost, "\(host) has no address.", url: nil)
            }
            defer { freeaddrinfo(list) }
            var failure: URLError?
            for address in sequence(first: list.pointee, next: { $0.ai_next?.pointee }) {
                // The system may lack an address family, such as IPv6.
                let descriptor = socket(address.ai_family, streamSocket, 0)
                guard descriptor >= 0 else {
                    failure = failure ?? self.failure()
                    continue
                }
                try self.adopt(descriptor)
                if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return }
                failure = self.failure()
                self.release()
            }
            if let failure { throw failure }
        }
    }

    func write(_ data: Data) async throws {
        try await onQueue {
            let descriptor = try self.current()
            var rest = data
            while !rest.isEmpty {
                let count = self.repeatingWhenInterrupted {
                    rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
                }
                guard count > 0 else { throw self.failure() }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Returns the next bytes, at most 64 KiB. Empty at the end of the stream.
    func read() async throws -> Data {
        try await onQueue {
            let descriptor = try self.current()
            var data = Data(count: 64 << 10)
            let count = self.repeatingWhenInterrupted {
                data.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            }
            guard count >= 0 else { throw self.failure() }
            // `recv` also returns 0 after the `shutdown` of `cancel()`. Then `current()` throws.
            if count == 0 { _ = try self.current() }
            return data.prefix(count)
        }
    }

    // MARK: On the queue

    private func onQueue<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Repeats `send` or `recv` while it fails with `EINTR`. With a timeout of the socket, Linux
    /// lets both fail with it after the process was stopped and continued.
    private func repeatingWhenInterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private func adopt(_ descriptor: Int32) throws {
        lock.withLock { self.descriptor = descriptor }
        var bound = timeval()
        bound.tv_sec = .init(max(0, min(timeout, 1e6)))
        bound.tv_usec = .init(max(0, timeout.truncatingRemainder(dividingBy: 1)) * 1e6)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(
                descriptor, SOL_SOCKET, option, &bound, socklen_t(MemoryLayout<timeval>.size))
        }
        _ = try current()
    }

    private func release() {
        let descriptor = lock.withLock { () -> Int32? in
            defer { self.descriptor = nil }
            return self.descriptor
        }
        if let descriptor { close(descriptor) }
    }

    private func current() throws -> Int32 {
        try lock.withLock {
            guard let descriptor, !isCancelled else { throw URLError(.cancelled) }
            return descriptor
        }
    }

    /// The error for `errno`, or `URLError(.cancelled)` after ``cancel()``.
    private func failure() -> URLError {
        let number = errno
        if lock.withLock({ isCancelled }) { return URLError(.cancelled) }
        let code: URLError.Code =
            switch number {
            case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH: .cannotConnectToHost
            case EAGAIN, EINPROGRESS, ETIMEDOUT: .timedOut
            default: .networkConnectionLost
            }
        return URLError(
            code, String(cString: strerror(number)), url: nil,
            cause: POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO))
    }
}

#if canImport(Darwin)
    private let (streamSocket, noSignal) = (SOCK_STREAM, MSG_NOSIGNAL)
#else
    private let (streamSocket, noSignal) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
#endif
