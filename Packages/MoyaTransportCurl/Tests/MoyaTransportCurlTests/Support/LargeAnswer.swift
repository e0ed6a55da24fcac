import Foundation
import MoyaMockServer

/// A body larger than all buffers between a server and a paused reader.
enum LargeAnswer {
    private static let pieceCount = 1024
    private static let piece = Data(repeating: 7, count: 64 << 10)

    /// Size of the body in bytes.
    static let size = pieceCount * piece.count

    /// Writes the response, and counts the pieces written.
    static func write(to connection: RawServer.Connection, counting pieces: Counter) {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
        for _ in 0..<pieceCount where connection.write(piece) { pieces.next() }
        connection.waitForClient()
    }
}
