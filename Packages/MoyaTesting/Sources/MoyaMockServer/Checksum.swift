import Foundation

/// The checksums of compressed formats.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }

    /// CRC-32 (RFC 1952, section 8).
    static func crc32(_ data: Data) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            data.withUnsafeBytes { bytes in
                var crc: UInt32 = 0xFFFF_FFFF
                for byte in bytes {
                    crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
                }
                return ~crc
            }
        }
    }

    /// Adler-32 (RFC 1950, section 8).
    static func adler32(_ data: Data) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }

    /// Adler-32 of `count` zero bytes.
    static func adler32(zeros count: Int) -> UInt32 {
        UInt32(count % 65521) << 16 | 1
    }
}
