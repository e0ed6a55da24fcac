#if CURL
import CMoyaCurl
import Foundation

/// What the system counts for a TCP connection.
struct ConnectionCounts {
    /// Bytes that the peer has acknowledged.
    let arrived: UInt64
    /// Those, and all that are on their way or wait.
    let accepted: UInt64
    let nanosecondsSinceSending: UInt64
    /// Bytes that have come from the peer.
    let received: UInt64

    /// `nil` where the system does not say.
    init?(of socket: Int32) {
        #if os(Linux)
        // Linux's own `struct tcp_info` from 4.19 on. The C library knows its first half.
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
            // One might run ahead of the other.
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

/// How many bytes of a TCP connection the process has read.
struct ReadCount {
    let bytes: UInt64

    /// `nil` where the system does not say.
    init?(of socket: Int32) {
        var waiting: Int32 = 0
        guard let counts = ConnectionCounts(of: socket),
            ioctl(socket, UInt(FIONREAD), &waiting) == 0
        else { return nil }
        bytes = counts.received - min(counts.received, UInt64(max(0, waiting)))
    }
}
#endif
