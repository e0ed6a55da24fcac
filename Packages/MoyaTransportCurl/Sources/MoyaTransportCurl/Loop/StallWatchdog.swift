import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Shuts down a connection whose peer keeps libcurl, or the TLS library, inside one call by sending without end.
///
/// While the loop's thread is inside such a call nothing else moves: no other transfer, no timeout, no cancel. So a
/// thread of its own looks on. The loop's thread writes down in one word, without a lock, that it enters or leaves libcurl,
/// and for which socket; a word that stands still over several looks is a stall. After the socket is shut down libcurl
/// meets its end, and fails the transfer.
final class StallWatchdog: @unchecked Sendable {
    // Safe to share: `word` and `asleep` are atomic, and what else changes is behind the lock.

    /// Why a connection was shut down.
    enum Reason {
        case stall
        case handshake
    }

    /// Tells a descriptor's socket from a later one with the same number.
    private struct Identity: Equatable {
        var device: dev_t
        var node: ino_t

        init?(_ socket: Int32) {
            var information = stat()
            guard fstat(socket, &information) == 0 else { return nil }
            (device, node) = (information.st_dev, information.st_ino)
        }
    }

    private struct State {
        var sockets: [Int32: Identity] = [:]
        var reason: Reason?
        var isStopped = false
    }

    /// How long the watchdog waits between two looks, in seconds.
    private let interval: TimeInterval
    /// How many looks in a row have to find the same call.
    private static let looks = 4
    /// A TLS handshake has a certificate chain of at most 100 KiB (OpenSSL's limit) and a few messages more.
    private static let handshakeLimit = 256 << 10

    /// The loop's thread writes: a count, the socket, and in the last bit whether it is inside libcurl.
    private let word: UnsafeMutablePointer<UInt64>
    /// 1 while the watchdog's thread sleeps, as there is nothing to watch. The loop's thread takes that back and rings.
    private let asleep: UnsafeMutablePointer<UInt64>
    private let bell = DispatchSemaphore(value: 0)
    private let state = Locked(State())
    /// Bytes of handshake messages that the current call has read. The loop's thread alone uses it.
    private var handshakeBytes = 0

    /// - Throws: `POSIXError` where the system has no thread left.
    init(interval: TimeInterval = 0.5) throws {
        self.interval = interval
        word = .allocate(capacity: 1)
        asleep = .allocate(capacity: 1)
        word.initialize(to: 0)
        asleep.initialize(to: 0)
        try LoopThread.start(named: "moya.curl.watch") { [self] in watch() }
    }

    deinit {
        word.deallocate()
        asleep.deallocate()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        bell.signal()
    }

    // MARK: The loop's thread

    /// The thread enters libcurl, which acts on `socket`, or on any where that is `nil`.
    func enter(_ socket: Int32? = nil) {
        handshakeBytes = 0
        next(socket ?? -1, isInside: true)
        guard moya_atomic_load(asleep) != 0 else { return }
        moya_atomic_store(asleep, 0)
        bell.signal()
    }

    func leave() { next(-1, isInside: false) }

    /// Does `body` for what libcurl calls back about. However long it takes, that is no stall, and libcurl has come
    /// along since the last time.
    func outside<Result>(_ body: () -> Result) -> Result {
        let last = word.pointee
        next(Self.socket(last), isInside: false)
        defer { next(Self.socket(last), isInside: last & 1 != 0) }
        return body()
    }

    /// libcurl has come along: it is done with one of the transfers that it acts on in this call.
    func noteProgress() {
        next(Self.socket(word.pointee), isInside: word.pointee & 1 != 0)
    }

    func open(_ socket: Int32) {
        let identity = Identity(socket)
        state.withLock { $0.sockets[socket] = identity }
    }

    /// Has to be called before the socket is closed.
    func close(_ socket: Int32) {
        state.withLock { $0.sockets[socket] = nil }
    }

    /// The TLS library has read a message of `count` bytes that is not the application's.
    func noteHandshake(_ count: Int) {
        handshakeBytes += count
        guard handshakeBytes > Self.handshakeLimit else { return }
        handshakeBytes = 0
        let socket = Self.socket(word.pointee)
        if socket >= 0 { shutDown(socket, for: .handshake, while: word.pointee) }
    }

    /// Why a connection has been shut down since the last time that this was asked.
    func takeReason() -> Reason? {
        state.withLock { state in
            defer { state.reason = nil }
            return state.reason
        }
    }

    private func next(_ socket: Int32, isInside: Bool) {
        let count = word.pointee >> 33 &+ 1
        moya_atomic_store(
            word, count << 33 | UInt64(UInt32(bitPattern: socket)) << 1 | (isInside ? 1 : 0))
    }

    private static func socket(_ word: UInt64) -> Int32 {
        Int32(bitPattern: UInt32(truncatingIfNeeded: word >> 1))
    }

    // MARK: The watchdog's thread

    private func watch() {
        var last: UInt64 = 0
        var count = 0
        while !state.withLock(\.isStopped) {
            let current = moya_atomic_load(word)
            if current == last, current & 1 == 0 {
                sleep(unless: current)
                count = 0
                continue
            }
            if current != last { count = 0 }
            last = current
            if count == Self.looks {
                count = 0
                shutDown(Self.socket(current), for: .stall, while: current)
            }
            // A bell that rings late, for what has woken the thread before, cuts the wait short: that is no look.
            if bell.wait(timeout: .now() + interval) == .timedOut { count += 1 }
        }
    }

    /// Waits until the loop's thread enters libcurl again.
    private func sleep(unless current: UInt64) {
        moya_atomic_store(asleep, 1)
        // What has begun before the mark was set has not seen it.
        if moya_atomic_load(word) == current { bell.wait() }
        moya_atomic_store(asleep, 0)
    }

    /// Shuts `socket` down, or every one where it is not known, unless libcurl has got on meanwhile.
    private func shutDown(_ socket: Int32, for reason: Reason, while current: UInt64) {
        state.withLock { state in
            guard moya_atomic_load(word) == current else { return }
            state.reason = reason
            for (open, identity) in state.sockets
            where (socket < 0 || open == socket) && Identity(open) == identity {
                shutdown(open, Int32(SHUT_RDWR))
            }
        }
    }
}

extension StallWatchdog.Reason {
    /// What the transfer fails with.
    func error(_ url: URL?) -> URLError {
        switch self {
        case .stall:
            URLError(
                .networkConnectionLost,
                "The connection was given up: for seconds its peer sent what leads to nothing, without a pause.",
                url: url)
        case .handshake:
            URLError(
                .secureConnectionFailed,
                "The connection was given up: its peer's TLS handshake messages had no end.",
                url: url)
        }
    }
}
