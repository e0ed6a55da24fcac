import Foundation
import MoyaCore
import MoyaInternals

/// The hash functions of Digest authentication, for the short texts it has. Foundation has none on Linux.
enum MessageDigest {
    /// The MD5 of `message` (RFC 1321).
    static func md5(_ message: some Sequence<UInt8>) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for block in blocks(of: message) {
            let words = words(block).map(\.byteSwapped)
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let mix: UInt32
                let word: Int
                switch step / 16 {
                case 0: (mix, word) = ((b & c) | (~b & d), step)
                case 1: (mix, word) = ((d & b) | (~d & c), (5 * step + 1) % 16)
                case 2: (mix, word) = (b ^ c ^ d, (3 * step + 5) % 16)
                default: (mix, word) = (c ^ (b | ~d), 7 * step % 16)
                }
                let sum = a &+ mix &+ md5Constants[step] &+ words[word]
                let shift = md5Shifts[step / 16][step % 4]
                (a, b, c, d) = (d, b &+ rotate(sum, left: shift), b, c)
            }
            for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
        }
        return state.flatMap { bytes($0.byteSwapped) }
    }

    /// The SHA-256 of `message` (FIPS 180-4).
    static func sha256(_ message: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA2<SHA256>()
        hash.update(Data(message))
        return Array(hash.finalize())
    }

    // MARK: Constants, by their definitions

    private static let md5Shifts: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]
    private static let md5Constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }

    // MARK: Bits and bytes

    /// The message with a one, zeros and its length in bits behind it, in blocks of 64 bytes.
    private static func blocks(
        of message: some Sequence<UInt8>
    ) -> [ArraySlice<UInt8>] {
        var padded = Array(message)
        let bitCount = UInt64(padded.count) &* 8
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        let length = bitCount.byteSwapped
        padded += bytes(UInt32(length >> 32)) + bytes(UInt32(truncatingIfNeeded: length))
        return stride(from: 0, to: padded.count, by: 64).map { padded[$0..<($0 + 64)] }
    }

    private static func words(_ block: ArraySlice<UInt8>) -> [UInt32] {
        stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private static func bytes(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    private static func rotate(_ word: UInt32, left count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
