#if CURL
import CMoyaCurl
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
        // It is not known when the last byte went. It has not if there are more.
        let hasMore = written < source.offset || source.offset != source.count
        return written > before && hasMore ? now : nil
    }
}
#endif
