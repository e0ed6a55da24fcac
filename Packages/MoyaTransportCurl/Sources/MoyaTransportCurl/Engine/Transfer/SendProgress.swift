#if CURL
import CMoyaCurl

/// Progress of sending a request body.
///
/// libcurl asks for the next piece once the system has accepted all of the last one, and over TLS
/// it reports nothing in between. The system buffers megabytes. On a slow line either may take
/// longer than the idle timeout. So before a transfer fails with that timeout, the bytes that the
/// server has acknowledged since are counted.
struct SendProgress {
    private(set) var socket: Int32?
    private var lastPiece = 0
    /// The acknowledged bytes of the connection at the last reading.
    private var arrived: UInt64 = 0
    /// An upper bound of the connection's acknowledged bytes when all pieces have arrived. Bytes
    /// beyond it belong to other requests on the connection.
    private var end: UInt64 = 0
    /// The bytes that libcurl had written at the last reading.
    private var written: Int64 = 0

    /// libcurl uses `socket` from now on.
    mutating func use(_ socket: Int32) {
        guard socket != self.socket else { return }
        self.socket = socket
        look()
    }

    /// libcurl does not use `socket` any more.
    mutating func leave(_ socket: Int32) {
        if socket == self.socket { self.socket = nil }
    }

    /// libcurl takes a piece of `count` bytes.
    mutating func hand(_ count: Int) {
        lastPiece = count
        look()
    }

    private mutating func look() {
        guard let socket, let counts = ConnectionCounts(of: socket) else { return }
        arrived = counts.arrived
        // TLS and HTTP/2 framing add a little to each piece.
        end = counts.accepted + UInt64(lastPiece) * 2 + 4096
    }

    /// When bytes last moved, or `nil` if none have since the last reading.
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
        // The time of the last byte is unknown. If all are written, it may be long ago.
        let hasMore = written < source.offset || source.offset != source.count
        return written > before && hasMore ? now : nil
    }
}
#endif
