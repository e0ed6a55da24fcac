#if CURL
import CMoyaCurl
import Foundation
import MoyaCore
import MoyaInternals

/// Shuts down a connection that keeps one call of libcurl busy for a second.
///
/// A peer that sends without a pause may keep libcurl, or the TLS library, reading. While the loop's thread is inside such a
/// call nothing else moves: no other transfer, no timeout, no cancel. The thread publishes a counter that changes whenever
/// libcurl is called, returns or calls back; a second thread samples it every quarter of a second. When it has stood still for
/// four samples, the connections from which bytes are being read are shut down: only the stuck call reads. libcurl then
/// meets their end, and fails the transfer.
final class StallWatchdog: @unchecked Sendable {
    // Safe to share: `callState` and `isIdle` are read and written atomically, and the rest is constant or behind a lock.

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

    /// A connection that was shut down. Its descriptor and its port may be another one's a while later.
    private struct ShutDown {
        /// `nil` once the number is another one's.
        var socket: Int32?
        let localPort: Int32?
        let reason: Reason
        let time: UInt64
    }

    private struct State {
        var sockets: [Int32: Identity] = [:]
        var shutDowns: [ShutDown] = []
        var isStopped = false
    }

    /// How long the watchdog's thread waits between two samples, in seconds.
    private let interval: TimeInterval
    /// How many samples in a row have to find the same call.
    private static let samples = 4

    /// How long it is known why a connection was shut down, in nanoseconds: as long as the system keeps its port from others.
    private static let memory: UInt64 = 60_000_000_000

    /// A counter, and in the last bit whether the loop's thread is inside libcurl. That thread alone writes it.
    private let callState: UnsafeMutablePointer<UInt64>
    /// 1 while the watchdog's thread waits for libcurl to be called again.
    private let isIdle: UnsafeMutablePointer<UInt64>
    private let wakeUp = DispatchSemaphore(value: 0)
    private let state = Locked(State())

    /// - Throws: `POSIXError` where the system has no thread left.
    init(interval: TimeInterval = 0.25) throws {
        self.interval = interval
        callState = .allocate(capacity: 1)
        isIdle = .allocate(capacity: 1)
        callState.initialize(to: 0)
        isIdle.initialize(to: 0)
        try LoopThread.start(named: "moya.curl.watch") { [self] in watch() }
    }

    deinit {
        callState.deallocate()
        isIdle.deallocate()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    // MARK: The loop's thread

    /// libcurl is about to be called.
    func enter() {
        publish(isInside: true)
        guard moya_atomic_load(isIdle) != 0 else { return }
        moya_atomic_store(isIdle, 0)
        wakeUp.signal()
    }

    /// libcurl has returned.
    func leave() { publish(isInside: false) }

    /// Does `body` for a callback of libcurl's. However long that takes, it is no stall.
    func outside<Result>(_ body: () -> Result) -> Result {
        let wasInside = callState.pointee & 1 != 0
        publish(isInside: false)
        defer { publish(isInside: wasInside) }
        return body()
    }

    /// libcurl is done with one of the transfers that it acts on in this call.
    func noteProgress() { publish(isInside: callState.pointee & 1 != 0) }

    private func publish(isInside: Bool) {
        moya_atomic_store(callState, (callState.pointee >> 1 &+ 1) << 1 | (isInside ? 1 : 0))
    }

    /// libcurl has got a new socket.
    func open(_ socket: Int32) {
        let identity = Identity(socket)
        state.withLock { state in
            state.sockets[socket] = identity
            for index in state.shutDowns.indices where state.shutDowns[index].socket == socket {
                state.shutDowns[index].socket = nil
            }
        }
    }

    /// Has to be called before the socket is closed.
    func close(_ socket: Int32) {
        state.withLock { $0.sockets[socket] = nil }
    }

    /// Shuts the connection of `socket` down.
    func shutDown(_ socket: Int32, for reason: Reason) {
        state.withLock { Self.shutDown([socket], for: reason, in: &$0) }
    }

    /// Why the connection was shut down that had one of these sockets, or this port on our side, if it was.
    func reason(_ sockets: [Int32], localPort: Int) -> Reason? {
        state.withLock { state in
            state.shutDowns.last {
                $0.socket.map(sockets.contains) == true || $0.localPort.map(Int.init) == localPort
            }?.reason
        }
    }

    // MARK: The watchdog's thread

    private func watch() {
        var last: UInt64 = 0
        var count = 0
        while !state.withLock(\.isStopped) {
            let current = moya_atomic_load(callState)
            if current == last, current & 1 == 0 {
                waitForCall(after: current)
                count = 0
                continue
            }
            if current != last { count = 0 }
            last = current
            if count >= Self.samples { shutDownReading(during: current) }
            // A signal that was left over cuts the wait short: that is no sample.
            if wakeUp.wait(timeout: .now() + interval) == .timedOut { count += 1 }
        }
    }

    private func waitForCall(after current: UInt64) {
        moya_atomic_store(isIdle, 1)
        // 1. `enter` on the loop's thread changes `callState` and then reads the mark; this thread sets the mark and then
        //    reads `callState`. Both are sequentially consistent, so at least one of them sees what the other has written.
        // 2. Where `enter` sees the mark, it signals, and the wait ends. Where it does not, the state has changed before the
        //    next line, and there is no wait.
        // 3. Where both see it, the signal is left over: it cuts the next wait short, which then counts as no sample.
        if moya_atomic_load(callState) == current { wakeUp.wait() }
        moya_atomic_store(isIdle, 0)
    }

    /// Shuts down the connections that the call reads from. Where the system counts no bytes for a connection, it is shut
    /// down if no other one is read from.
    private func shutDownReading(during current: UInt64) {
        let before = state.withLock { Array($0.sockets.keys) }.map { ($0, ReadCount(of: $0)) }
        _ = wakeUp.wait(timeout: .now() + interval / 10)
        state.withLock { state in
            guard moya_atomic_load(callState) == current else { return }
            let read = before.filter { socket, count in
                guard let count, let now = ReadCount(of: socket) else { return false }
                return now.bytes > count.bytes
            }
            let suspects = read.isEmpty ? before.filter { $0.1 == nil } : read
            Self.shutDown(suspects.map(\.0), for: .stall, in: &state)
        }
    }

    private static func shutDown(_ sockets: [Int32], for reason: Reason, in state: inout State) {
        for socket in sockets {
            guard let identity = state.sockets[socket], Identity(socket) == identity else {
                continue
            }
            shutdown(socket, Int32(SHUT_RDWR))
            state.shutDowns.removeAll { $0.time &+ memory < LoopClock.now() }
            state.shutDowns.append(
                ShutDown(
                    socket: socket,
                    localPort: ConnectionEndpoints.Address(localAddressOf: socket)?.port,
                    reason: reason,
                    time: LoopClock.now()))
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
                "The connection was shut down: its peer kept sending without a pause what brings no response nearer.",
                url: url)
        case .handshake:
            URLError(
                .secureConnectionFailed,
                "The connection was shut down: its peer sent more than \(HandshakeLimit.bytes) bytes of TLS handshake messages.",
                url: url)
        }
    }
}
#endif
