import CMoyaCurl
import Foundation

/// What a connection had received when a request was begun on it, and the header lines that have come since.
///
/// Bytes that come in one piece with an answer without a body are read by libcurl together with its head, dropped, and the
/// connection is kept: what the server writes next would be taken for the answer to the next request (RFC 9112,
/// section 9.2). Bytes that libcurl has read cannot be seen any more, but the system has counted them.
struct ReceivedHead {
    let socket: curl_socket_t
    /// How many bytes the connection has received if nothing came but header lines.
    private var expected: UInt64

    /// `nil` where the system does not count.
    init?(on socket: curl_socket_t) {
        guard let counts = ConnectionCounts(of: socket) else { return nil }
        self.socket = socket
        expected = counts.received
    }

    mutating func note(_ line: UnsafeRawBufferPointer) { expected += UInt64(line.count) }

    /// Whether more has come than the header lines, read or not.
    var hasSurplus: Bool {
        ConnectionCounts(of: socket).map { $0.received > expected } ?? false
    }
}
