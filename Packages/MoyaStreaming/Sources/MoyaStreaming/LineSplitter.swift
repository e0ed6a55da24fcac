import Foundation

/// Cuts bytes that come in pieces of any size into lines.
struct LineSplitter: Sendable {
    /// What ends a line, besides LF and CRLF.
    enum Ending: Sendable {
        case lineFeed
        /// CR alone as well.
        case anyNewline
    }

    private let limit: Int
    private let ending: Ending
    private var buffer: [UInt8] = []
    /// Where the line begins that is not whole yet.
    private var start = 0
    /// How far it has been looked through.
    private var position = 0
    /// Whether an LF that comes next belongs to the end of the last line.
    private var skipsLineFeed = false

    /// - Parameter limit: The most bytes a line may have.
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

    /// The next whole line, without its end. `nil` until more has come.
    ///
    /// - Throws: ``StreamingError`` for a line that is too long, whole or not.
    mutating func next() throws(StreamingError) -> ArraySlice<UInt8>? {
        if skipsLineFeed, start < buffer.count {
            skipsLineFeed = false
            if buffer[start] == UInt8(ascii: "\n") { start += 1 }
            position = start
        }
        guard let end = findEnd() else {
            position = buffer.count
            // A CR at the end may be half of what ends the line.
            let isHalfEnding = start < position && buffer[position - 1] == UInt8(ascii: "\r")
            guard position - start - (isHalfEnding ? 1 : 0) <= limit else {
                throw .lineTooLong(limit)
            }
            return nil
        }
        var line = buffer[start..<end]
        if ending == .lineFeed, line.last == UInt8(ascii: "\r") { line.removeLast() }
        skipsLineFeed = buffer[end] == UInt8(ascii: "\r")
        start = end + 1
        position = start
        guard line.count <= limit else { throw .lineTooLong(limit) }
        return line
    }

    /// What came after the last end of a line.
    ///
    /// - Throws: ``StreamingError`` if that is too long.
    mutating func takeRest() throws(StreamingError) -> ArraySlice<UInt8>? {
        defer { start = buffer.count }
        guard buffer.count - start <= limit else { throw .lineTooLong(limit) }
        return start < buffer.count ? buffer[start...] : nil
    }

    /// The next whole line and, once no more comes, what is left.
    mutating func next(isAtEnd: Bool) throws(StreamingError) -> ArraySlice<UInt8>? {
        try isAtEnd ? takeRest() : next()
    }

    private func findEnd() -> Int? {
        let takesReturn = ending == .anyNewline
        return buffer.withUnsafeBufferPointer { bytes in
            var index = position
            while index < bytes.count {
                let byte = bytes[index]
                if byte == 0x0A || takesReturn && byte == 0x0D { return index }
                index += 1
            }
            return nil
        }
    }
}
