#if CURL
import CMoyaCurl
import Foundation

/// Byte counts of a TCP connection, as the system keeps them.
struct ConnectionCounts {
    /// Bytes that the peer has acknowledged.
    let arrived: UInt64
    /// Bytes that the system has accepted: acknowledged, in flight and queued.
    let accepted: UInt64
    let nanosecondsSinceSending: UInt64
    /// Bytes received from the peer, read or unread.
    let received: UInt64

    /// Returns `nil` if the system keeps no counts.
    init?(of socket: Int32) {
        #if os(Linux)
        // Linux's `struct tcp_info` from 4.19 on, by byte offset. The C library declares only its
        // first half.
        let size = 216
        let counts = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { info in
            var length = socklen_t(size)
            let code = getsockopt(
                socket, Int32(IPPROTO_TCP), TCP_INFO, info.baseAddress, &length)
            guard code == 0, length == size else {
                return nil as (UInt64, UInt64, UInt64, UInt64)?
            }
            func short(_ offset: Int) -> UInt64 {
                UInt64(info.load(fromByteOffset: offset, as: UInt32.self))
            }
            func long(_ offset: Int) -> UInt64 {
                info.load(fromByteOffset: offset, as: UInt64.self)
            }
            let (sent, sentAgain, waiting) = (long(200), long(208), short(144))
            // Retransmitted bytes may exceed sent bytes, as the two are not read atomically.
            let accepted = sent - min(sent, sentAgain) + waiting
            return (long(120), accepted, short(44) * 1_000_000, long(128))
        }
        guard let counts else { return nil }
        (arrived, accepted, nanosecondsSinceSending, received) = counts
        #else
        return nil
        #endif
    }
}

/// Number of bytes that the process has read from a TCP connection.
struct ReadCount {
    let bytes: UInt64

    /// Returns `nil` if the system keeps no counts.
    init?(of socket: Int32) {
        var waiting: Int32 = 0
        guard let counts = ConnectionCounts(of: socket),
            ioctl(socket, UInt(FIONREAD), &waiting) == 0
        else { return nil }
        bytes = counts.received - min(counts.received, UInt64(max(0, waiting)))
    }
}
#endif
