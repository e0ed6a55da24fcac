import CCurl
import Foundation

/// How far the pieces of a request's body have come.
///
/// libcurl asks for the next piece once it has handed all of the last one to the system, and over TLS it says nothing in
/// between. The system keeps megabytes. On a slow line either takes longer than nothing may move, so before a transfer
/// is given up for that, the system is asked what has arrived meanwhile.
struct SendProgress {
    private(set) var socket: Int32?
    private var lastPiece = 0
    /// What had arrived at the last look, as the system counts it for the connection.
    private var arrived: UInt64 = 0
    /// What will have at the latest when all pieces have. What arrives after that is of other requests, which share
    /// the connection.
    private var end: UInt64 = 0
    /// What libcurl had written at the last look.
    private var written: Int64 = 0

    /// libcurl uses this socket now.
    mutating func use(_ socket: Int32) {
        guard socket != self.socket else { return }
        self.socket = socket
        look()
    }

    mutating func leave(_ socket: Int32) {
        if socket == self.socket { self.socket = nil }
    }

    /// libcurl gets a piece of this many bytes.
    mutating func hand(_ count: Int) {
        lastPiece = count
        look()
    }

    private mutating func look() {
        guard let socket, let counts = ConnectionCounts(of: socket) else { return }
        arrived = counts.arrived
        // TLS and frames add a little to each piece.
        end = counts.accepted + UInt64(lastPiece) * 2 + 4096
    }

    /// When bytes moved last, on the clock that says `now`, if any have since the last look.
    mutating func lastMove(
        of easy: EasyHandle, from source: BodySource, now: UInt64
    ) -> UInt64? {
        if let socket, let counts = ConnectionCounts(of: socket) {
            let isOurs = arrived < end && counts.arrived > arrived
            arrived = counts.arrived
            return isOurs ? now - min(now, counts.nanosecondsSinceSending) : nil
        }
        let before = written
        written = easy.offset(CURLINFO_SIZE_UPLOAD_T)
        // Nobody knows when the last byte went. It has not if there are more.
        let hasMore = written < source.offset || source.offset != source.count
        return written > before && hasMore ? now : nil
    }
}

/// What the system counts for a TCP connection.
private struct ConnectionCounts {
    /// Bytes that the peer has acknowledged.
    let arrived: UInt64
    /// Those, and all that are on their way or wait.
    let accepted: UInt64
    let nanosecondsSinceSending: UInt64

    /// `nil` where the system does not say.
    init?(of socket: Int32) {
        #if os(Linux)
            // Linux's own `struct tcp_info` from 4.19 on. The C library knows its first half.
            let size = 216
            let counts = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { info in
                var length = socklen_t(size)
                let code = getsockopt(
                    socket, Int32(IPPROTO_TCP), TCP_INFO, info.baseAddress, &length)
                guard code == 0, length == size else { return nil as (UInt64, UInt64, UInt64)? }
                func short(_ offset: Int) -> UInt64 {
                    UInt64(info.load(fromByteOffset: offset, as: UInt32.self))
                }
                func long(_ offset: Int) -> UInt64 {
                    info.load(fromByteOffset: offset, as: UInt64.self)
                }
                let (sent, sentAgain, waiting) = (long(200), long(208), short(144))
                // One might run ahead of the other.
                let accepted = sent - min(sent, sentAgain) + waiting
                return (long(120), accepted, short(44) * 1_000_000)
            }
            guard let counts else { return nil }
            (arrived, accepted, nanosecondsSinceSending) = counts
        #else
            return nil
        #endif
    }
}
