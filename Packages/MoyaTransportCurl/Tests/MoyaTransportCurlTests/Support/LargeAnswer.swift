import Foundation
import MoyaMockServer

/// A body that is more than everybody between a server and a reader who rests can hold.
enum LargeAnswer {
    private static let pieceCount = 1024
    private static let piece = Data(repeating: 7, count: 64 << 10)

    /// How many bytes it has.
    static let size = pieceCount * piece.count

    /// Writes it, and counts the pieces that could be written.
    static func write(to connection: RawServer.Connection, counting pieces: Counter) {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
        for _ in 0..<pieceCount where connection.write(piece) { pieces.next() }
        connection.waitForClient()
    }
}
