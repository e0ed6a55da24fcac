import Foundation

/// Buffer of received bytes that are not parsed yet.
struct ReceiveBuffer {
    enum ReadError: Error {
        /// The client has disconnected.
        case closed
        /// The data is not HTTP.
        case malformed
        /// The header section exceeds ``ReceiveBuffer/headLimit``.
        case headTooLarge
        /// The body exceeds ``ReceiveBuffer/bodyLimit``.
        case bodyTooLarge
    }

    /// Maximum size of the header section, and of a line of a chunked body, in bytes.
    static let headLimit = 64 << 10
    /// Maximum size of a body, in bytes.
    static let bodyLimit = 1 << 30
    /// Number of body bytes to read at a time.
    private static let slice = 256 << 10

    let socket: Socket
    private var bytes = [UInt8](repeating: 0, count: 4096)
    private var start = 0
    private var end = 0

    init(_ socket: Socket) {
        self.socket = socket
    }

    /// Takes everything up to the first empty line, which ends the header section, and parses it.
    mutating func takeHead() throws(ReadError) -> RequestHead {
        let length = try find { Self.endOfHead($0, from: $1) }
        let head = bytes.withUnsafeBytes { bytes in
            RequestHead(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
        }
        start += length
        guard let head else { throw .malformed }
        return head
    }

    /// Takes a line, without its line break.
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
        // Allocates a slice and not `count` bytes: the client may claim a length that it never
        // sends.
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

    /// Receives data until `endOf` returns a length, and returns that length. `endOf` gets all
    /// buffered bytes, and the offset at which the search continues.
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

    /// Returns the length of the header section, which ends with LF LF or LF CR LF (RFC 9112,
    /// section 2.2), or `nil` if it is incomplete.
    private static func endOfHead(_ bytes: UnsafeRawBufferPointer, from searched: Int) -> Int? {
        let newline = UInt8(ascii: "\n")
        for index in searched..<bytes.count where index > 0 && bytes[index] == newline {
            if bytes[index - 1] == newline { return index + 1 }
            if index > 1, bytes[index - 1] == UInt8(ascii: "\r"), bytes[index - 2] == newline {
                return index + 1
            }
        }
        return nil
    }
}
