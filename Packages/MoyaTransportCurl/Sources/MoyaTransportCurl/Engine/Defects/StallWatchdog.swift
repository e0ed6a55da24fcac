#if CURL
// Versions: all.
// Test: StalledStepTests, StallWatchdogTests.
// Without them: nothing.

import CMoyaCurl
import MoyaCore
import MoyaInternals

/// Shuts down a connection that keeps a single call of libcurl busy for a second.
///
/// A peer that sends without a pause can keep libcurl or the TLS library reading. While the loop's
/// thread is inside such a call, it handles no other transfer, timeout or cancel. The watchdog
/// works as follows:
///
/// 1. The loop's thread publishes a counter that changes whenever libcurl is called, returns or
///    calls back.
/// 2. A second thread samples the counter every quarter of a second.
/// 3. When four samples are equal, it shuts down the connections from which bytes are being read.
///    Only the stuck call reads.
/// 4. libcurl finds the connection closed, and fails the transfer.
final class StallWatchdog: @unchecked Sendable {
    // Safe to share: `callState` and `isIdle` are accessed atomically, and the rest is constant or
    // behind a lock.

    /// The reason for a shutdown.
    enum Reason {
        case stall
        case handshake
    }

    /// A connection that was shut down. Its descriptor and its port may be reused later.
    private struct ShutDown {
        /// `nil` once the descriptor is reused.
        var socket: Int32?
        let localPort: Int32?
        let reason: Reason
        let time: UInt64
    }

    private struct State {
        var sockets: [Int32: SocketIdentity] = [:]
        var shutDowns: [ShutDown] = []
        var isStopped = false
    }

    private let interval: TimeInterval
    /// Number of equal samples after which a call is stuck.
    private static let samples = 4

    /// How long the reason for a shutdown is remembered, in nanoseconds: as long as the system does
    /// not reuse the connection's port.
    private static let memory: UInt64 = 60_000_000_000

    /// A counter, with the lowest bit set while the loop's thread is inside libcurl. Only that
    /// thread writes it.
    private let callState = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    /// 1 while the watchdog's thread waits for the next call of libcurl.
    private let isIdle = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    private let wakeUp = DispatchSemaphore(value: 0)
    private let state = Locked(State())

    /// - Parameter interval: Time between two samples, in seconds.
    /// - Throws: `POSIXError` if the system cannot create a thread.
    init(interval: TimeInterval) throws {
        self.interval = interval
        callState.initialize(to: 0)
        isIdle.initialize(to: 0)
        try LoopThread.start(named: "moya.curl.watch") { [self] in watch() }
    }

    deinit {
        callState.deallocate()
        isIdle.deallocate()
    }

    /// Number of sockets that libcurl has opened for connections and not closed. May be too high
    /// with libcurl before 8.2, which does not report each end of a socket that was connecting.
    var socketCount: Int { state.withLock { $0.sockets.count } }

    /// Ends the watchdog's thread.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    // MARK: The loop's thread

    /// Call before each call of libcurl.
    func enter() {
        publish(isInside: true)
        guard moya_atomic_load(isIdle) != 0 else { return }
        moya_atomic_store(isIdle, 0)
        wakeUp.signal()
    }

    /// Call when libcurl has returned.
    func leave() { publish(isInside: false) }

    /// Runs `body` in a callback of libcurl. Its time does not count as a stall.
    func outside<Result>(_ body: () -> Result) -> Result {
        let wasInside = callState.pointee & 1 != 0
        publish(isInside: false)
        defer { publish(isInside: wasInside) }
        return body()
    }

    /// Call when libcurl has finished a step for one transfer within a call.
    func noteProgress() { publish(isInside: callState.pointee & 1 != 0) }

    private func publish(isInside: Bool) {
        moya_atomic_store(callState, (callState.pointee >> 1 &+ 1) << 1 | (isInside ? 1 : 0))
    }

    /// Records a new socket of libcurl.
    func open(_ socket: Int32) {
        let identity = SocketIdentity(socket)
        state.withLock { state in
            state.sockets[socket] = identity
            for index in state.shutDowns.indices where state.shutDowns[index].socket == socket {
                state.shutDowns[index].socket = nil
            }
        }
    }

    /// Removes a socket. Call before it is closed.
    func close(_ socket: Int32) { state.withLock { $0.sockets[socket] = nil } }

    /// Shuts down the connection of `socket`.
    func shutDown(_ socket: Int32, for reason: Reason) {
        state.withLock { Self.shutDown([socket], for: reason, in: &$0) }
    }

    /// Why a connection with one of these sockets, or with this local port, was shut down. `nil` if
    /// none was.
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
            // A leftover signal ends the wait early, which does not count as a sample.
            if wakeUp.wait(timeout: .now() + interval) == .timedOut { count += 1 }
        }
    }

    private func waitForCall(after current: UInt64) {
        moya_atomic_store(isIdle, 1)
        // 1. `enter` on the loop's thread changes `callState` and then reads `isIdle`. This thread
        //    sets `isIdle` and then reads `callState`. All accesses are sequentially consistent, so
        //    at least one thread sees the other's write.
        // 2. If `enter` sees the mark, it signals, and the wait ends. If it does not, the state has
        //    changed before the next line, and this thread does not wait.
        // 3. If both see the other's write, the signal is left over. It ends the next wait early,
        //    which does not count as a sample.
        if moya_atomic_load(callState) == current { wakeUp.wait() }
        moya_atomic_store(isIdle, 0)
    }

    /// Shuts down the connections that the stuck call reads from. Connections without byte counts
    /// are shut down only if no other connection is being read from.
    private func shutDownReading(during current: UInt64) {
        let before = state.withLock { Array($0.sockets.keys) }
            .map { ($0, ConnectionCounts.bytesRead(from: $0)) }
        _ = wakeUp.wait(timeout: .now() + interval / 10)
        state.withLock { state in
            guard moya_atomic_load(callState) == current else { return }
            let read = before.filter { socket, count in
                guard let count, let now = ConnectionCounts.bytesRead(from: socket) else {
                    return false
                }
                return now > count
            }
            let suspects = read.isEmpty ? before.filter { $0.1 == nil } : read
            Self.shutDown(suspects.map(\.0), for: .stall, in: &state)
        }
    }

    private static func shutDown(_ sockets: [Int32], for reason: Reason, in state: inout State) {
        for socket in sockets {
            guard state.sockets[socket]?.isOpen == true else { continue }
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
    /// The error of the connection's transfers.
    func error(_ url: URL?) -> URLError {
        switch self {
        case .stall:
            URLError(
                .networkConnectionLost,
                "The connection was closed: the server kept sending data that is not part of a response.",
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
