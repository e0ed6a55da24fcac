import CMoyaCurl
import Foundation

/// Short gzip data (RFC 1952) that expand to very much.
enum GzipBomb {
    private static let expandedSize = 16 << 20

    /// For the codings `gzip, gzip`: expands to `count` times 16 MiB of zeros.
    static func ofZeros(_ count: Int) -> Data {
        member(repeated(member(Data(count: expandedSize)), count))
    }

    /// For the codings `gzip, gzip, gzip`: expands to nothing, and to `count` times 16 MiB before
    /// the last coding is undone. These bytes are a comment of the innermost data (RFC 1952,
    /// section 2.3.1), which does not end.
    static func ofNothing(_ count: Int) -> Data {
        let hasComment: UInt8 = 0x10
        let head = Data([0x1F, 0x8B, 8, hasComment, 0, 0, 0, 0, 0, 0xFF])
        let comment = Data(repeating: UInt8(ascii: "a"), count: expandedSize)
        return member(member(head) + repeated(member(comment), count))
    }

    private static func repeated(_ data: Data, _ count: Int) -> Data {
        (0..<count).reduce(into: Data()) { all, _ in all += data }
    }

    /// Compresses `data` into one member.
    static func member(_ data: Data) -> Data {
        var stream = z_stream()
        // Adding 16 makes zlib write gzip data.
        deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var (input, output) = (data, Data(count: Int(deflateBound(&stream, UInt(data.count)))))
        let capacity = output.count
        input.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                stream.next_in = input.bindMemory(to: UInt8.self).baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(capacity)
                _ = deflate(&stream, Z_FINISH)
            }
        }
        return output.prefix(capacity - Int(stream.avail_out))
    }
}
