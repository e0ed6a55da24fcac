import Foundation

/// Splits chunks of any size into lines.
struct LineSplitter: Sendable {
    /// Line terminators.
    enum Ending: Sendable {
        case lineFeed
        /// LF, CRLF or CR.
        case anyNewline
    }

    private let limit: Int
    private let ending: Ending
    private var buffer: [UInt8] = []
    /// Start of the incomplete line.
    private var start = 0
    /// End of the part that has been searched for a terminator.
    private var position = 0
    /// Whether a leading LF belongs to the terminator of the previous line.
    private var skipsLineFeed = false

    /// - Parameter limit: Maximum size of a line, in bytes.
    init(limit: Int, ending: Ending = .lineFeed) {
        self.limit = limit
        self.ending = ending
    }

    mutating func append(_ chunk: Data) {
        buffer.removeFirst(start)
        position -= start
        start = 0
        buffer.append(contentsOf: chunk)
    }

    /// Returns the next complete line without its terminator, or `nil` if more bytes are needed.
    ///
    /// - Throws: ``StreamingError`` for a line that exceeds the limit, complete or not.
    mutating func next() throws(StreamingError) -> ArraySlice<UInt8>? {
        if skipsLineFeed, start < buffer.count {
            skipsLineFeed = false
            if buffer[start] == UInt8(ascii: "\n") { start += 1 }
            position = start
        }
        guard let end = findEnd() else {
            position = buffer.count
            // A CR at the end may be the first half of CRLF, so it does not count.
            let isHalfEnding = start < position && buffer[position - 1] == UInt8(ascii: "\r")
            guard position - start - (isHalfEnding ? 1 : 0) <= limit else { throw tooLong }
            return nil
        }
        var line = buffer[start..<end]
        if ending == .lineFeed, line.last == UInt8(ascii: "\r") { line.removeLast() }
        skipsLineFeed = buffer[end] == UInt8(ascii: "\r")
        start = end + 1
        position = start
        guard line.count <= limit else { throw tooLong }
        return line
    }

    /// Returns the bytes after the last terminator, or `nil` if there are no bytes.
    ///
    /// - Throws: ``StreamingError`` if they exceed the limit.
    mutating func takeRest() throws(StreamingError) -> ArraySlice<UInt8>? {
        defer { start = buffer.count }
        guard buffer.count - start <= limit else { throw tooLong }
        return start < buffer.count ? buffer[start...] : nil
    }

    /// Returns the next complete line or, at the end, the remaining bytes.
    mutating func next(isAtEnd: Bool) throws(StreamingError) -> ArraySlice<UInt8>? {
        try isAtEnd ? takeRest() : next()
    }

    private var tooLong: StreamingError { .tooLong("A line", limit) }

    private func findEnd() -> Int? {
        let takesReturn = ending == .anyNewline
        return buffer.withUnsafeBufferPointer { bytes in
            bytes[position...].firstIndex { $0 == 0x0A || takesReturn && $0 == 0x0D }
        }
    }
}
