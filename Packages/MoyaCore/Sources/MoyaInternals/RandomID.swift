import Foundation

/// Random identifiers from the system's generator.
///
/// Use these instead of `UUID()`: on Linux, Foundation reads its random bytes from a file, and
/// without a free file descriptor all its identifiers are equal.
public enum RandomID {
    /// Returns a UUID of version 4 (RFC 9562, section 5.4).
    public static func uuid() -> UUID {
        var generator = SystemRandomNumberGenerator()
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            // Each number may cost a system call.
            for offset in [0, 8] {
                bytes.storeBytes(of: generator.next(), toByteOffset: offset, as: UInt64.self)
            }
        }
        bytes.6 = bytes.6 & 0x0F | 0x40
        bytes.8 = bytes.8 & 0x3F | 0x80
        return UUID(uuid: bytes)
    }

    /// Returns 128 random bits as 32 hexadecimal digits.
    public static func hexadecimal() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
