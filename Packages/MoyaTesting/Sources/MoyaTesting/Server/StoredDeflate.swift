import Foundation

/// Compressed formats without compression: DEFLATE's stored blocks (RFC 1951, section 3.2.4).
enum StoredDeflate {
    /// The gzip format (RFC 1952).
    static func gzip(_ data: Data) -> Data {
        Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]) + blocks(data) + littleEndian(crc32(data))
            + littleEndian(UInt32(truncatingIfNeeded: data.count))
    }

    /// The zlib format (RFC 1950), which HTTP calls `deflate`.
    static func zlib(_ data: Data) -> Data {
        Data([0x78, 0x01]) + blocks(data) + Data(littleEndian(adler32(data)).reversed())
    }

    private static func blocks(_ data: Data) -> Data {
        var output = Data()
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            output.append(rest.isEmpty ? 1 : 0)
            output += [UInt8(length & 0xFF), UInt8(length >> 8)]
            output += [UInt8(~length & 0xFF), UInt8(~length >> 8)]
            output += block
        } while !rest.isEmpty
        return output
    }

    private static func littleEndian(_ value: UInt32) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }

    private static func crc32(_ data: Data) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in data {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~crc
    }

    private static func adler32(_ data: Data) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }
}
