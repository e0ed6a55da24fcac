import Foundation

/// Bytes that have been received and not been looked at yet.
struct ReceiveBuffer {
    enum ReadError: Error {
        /// The client is done.
        case closed
        /// The client sent no HTTP.
        case malformed
        /// The header section is longer than ``ReceiveBuffer/headLimit``.
        case headTooLarge
        /// The body is longer than ``ReceiveBuffer/bodyLimit``.
        case bodyTooLarge
    }

    /// The longest header section, and the longest line of a chunked body, in bytes.
    static let headLimit = 64 << 10
    /// The longest body, in bytes.
    static let bodyLimit = 1 << 30
    /// What is read of a body at a time.
    private static let slice = 256 << 10

    let socket: Socket
    private var bytes = [UInt8](repeating: 0, count: 4096)
    private var start = 0
    private var end = 0

    init(_ socket: Socket) {
        self.socket = socket
    }

    /// Takes everything up to the first empty line, which ends the header section.
    mutating func takeHead() throws(ReadError) -> RequestHead {
        let length = try find { Self.endOfHead($0, from: $1) }
        let head = bytes.withUnsafeBytes { bytes in
            RequestHead(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
        }
        start += length
        guard let head else { throw .malformed }
        return head
    }

    /// Takes a line, without its end.
    mutating func takeLine() throws(ReadError) -> String {
        let length = try find { bytes, from in
            bytes[from...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        }
        let line = String(decoding: bytes[start..<start + length], as: UTF8.self)
        start += length
        return line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Moves `count` bytes to the end of `data`.
    mutating func take(_ count: Int, to data: inout Data) throws(ReadError) {
        guard count >= 0, count <= Self.bodyLimit - data.count else { throw .bodyTooLarge }
        let buffered = min(count, end - start)
        data.append(contentsOf: bytes[start..<start + buffered])
        start += buffered
        var left = count - buffered
        guard left > 0 else { return }
        // No more than has been received: a false length costs nothing.
        let socket = socket
        let isWhole = withUnsafeTemporaryAllocation(
            byteCount: min(left, Self.slice), alignment: 16
        ) { slice in
            while left > 0 {
                let count = socket.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: slice[..<min(left, slice.count)]))
                guard count > 0, let base = slice.baseAddress else { return false }
                data.append(base.assumingMemoryBound(to: UInt8.self), count: count)
                left -= count
            }
            return true
        }
        guard isWhole else { throw .closed }
    }

    /// Receives until `end` finds where something ends, and returns its length.
    /// `end` is given all there is and where to go on looking.
    private mutating func find(
        _ endOf: (UnsafeRawBufferPointer, _ from: Int) -> Int?
    ) throws(ReadError) -> Int {
        var searched = 0
        while true {
            let length = bytes.withUnsafeBytes { bytes in
                endOf(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), searched)
            }
            if let length { return length }
            guard end - start < Self.headLimit else { throw .headTooLarge }
            searched = end - start
            try fill()
        }
    }

    private mutating func fill() throws(ReadError) {
        if start == end {
            start = 0
            end = 0
        } else if end == bytes.count {
            bytes.removeSubrange(..<start)
            end -= start
            start = 0
            bytes += [UInt8](repeating: 0, count: max(4096, end))
        }
        let (socket, free) = (socket, end)
        let count = bytes.withUnsafeMutableBytes { bytes in
            socket.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[free...]))
        }
        guard count > 0 else { throw .closed }
        end += count
    }

    /// Where the header section ends: after LF, LF or after LF, CR, LF (RFC 9112, section 2.2).
    private static func endOfHead(_ bytes: UnsafeRawBufferPointer, from searched: Int) -> Int? {
        let newline = UInt8(ascii: "\n")
        var index = searched
        while index < bytes.count {
            if bytes[index] == newline, index > 0 {
                if bytes[index - 1] == newline { return index + 1 }
                if index > 1, bytes[index - 1] == UInt8(ascii: "\r"), bytes[index - 2] == newline {
                    return index + 1
                }
            }
            index += 1
        }
        return nil
    }
}
