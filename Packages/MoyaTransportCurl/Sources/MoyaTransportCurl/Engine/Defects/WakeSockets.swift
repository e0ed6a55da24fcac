#if CURL
// Versions: before 8.8.0.
// Test: WakeSocketsTests.
// Without them: this file, and its use in `MultiHandle.open`.

import CMoyaCurl
import Foundation

/// The two ends of the socket pair by which `curl_multi_wakeup` wakes a waiting thread. libcurl
/// before 8.8 lets child processes inherit them.
///
/// libcurl does not tell their numbers. A wakeup writes a byte into one end, which shows at both.
struct WakeSockets {
    static let areInherited = CurlLibrary.version < 0x080800

    /// Bytes in the buffers of a socket.
    struct Load: Equatable {
        var unread: Int32 = 0
        /// Written, but not read by the peer.
        var unsent: Int32 = 0
    }

    /// The load of each socket that may be one of the pair.
    let before: [Int32: Load]
    /// The number of wakeups afterwards.
    let wakeups: Int32

    /// The two sockets whose load the wakeups have changed. `nil` if it is not certain which two
    /// they are, because other threads use such sockets at the same time.
    func pair(after: [Int32: Load]) -> (reader: Int32, writer: Int32)? {
        let changed = before.filter { after[$0.key] != nil && after[$0.key] != $0.value }
        let readers = changed.filter { socket, load in
            after[socket] == Load(unread: load.unread + wakeups, unsent: load.unsent)
        }
        let writers = changed.filter { socket, load in
            after[socket].map { $0.unread == load.unread && $0.unsent > load.unsent } ?? false
        }
        guard changed.count == 2, let reader = readers.first, let writer = writers.first else {
            return nil
        }
        return (reader.key, writer.key)
    }

    /// Keeps child processes from inheriting the sockets of a new multi handle.
    static func closeOnExec(of multi: UnsafeMutableRawPointer) {
        #if os(Linux)
        guard areInherited else { return }
        // Without a descriptor for the list, and if other threads change such sockets each time,
        // the sockets stay as they are.
        for attempt in 1...4 {
            let wakeups = Int32(attempt)
            let sockets = WakeSockets(before: inheritedLoads(), wakeups: wakeups)
            for _ in 0..<wakeups { _ = curl_multi_wakeup(multi) }
            guard let pair = sockets.pair(after: inheritedLoads()) else { continue }
            for socket in [pair.reader, pair.writer] { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
            return
        }
        #endif
    }

    #if os(Linux)
    /// The load of each Unix domain socket that child processes inherit.
    private static func inheritedLoads() -> [Int32: Load] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        var loads: [Int32: Load] = [:]
        for socket in names.compactMap({ Int32($0) }) where isInherited(socket) {
            var load = Load()
            // SIOCOUTQ, the number of TIOCOUTQ.
            guard ioctl(socket, UInt(FIONREAD), &load.unread) == 0,
                ioctl(socket, UInt(TIOCOUTQ), &load.unsent) == 0
            else { continue }
            loads[socket] = load
        }
        return loads
    }

    private static func isInherited(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, flags & FD_CLOEXEC == 0 else { return false }
        return sockaddr_storage(of: descriptor, getsockname)?.ss_family == sa_family_t(AF_UNIX)
    }
    #endif
}
#endif
