import Foundation

/// The hash functions of Digest authentication, for the short texts it has. Foundation has none on Linux.
enum MessageDigest {
    /// The MD5 of `message` (RFC 1321).
    static func md5(_ message: some Sequence<UInt8>) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for block in blocks(of: message, lengthIsBigEndian: false) {
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
        var state = sha256State
        for block in blocks(of: message, lengthIsBigEndian: true) {
            var words = words(block)
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let s0 = rotate(early, left: 25) ^ rotate(early, left: 14) ^ (early >> 3)
                let s1 = rotate(late, left: 15) ^ rotate(late, left: 13) ^ (late >> 10)
                words.append(words[index - 16] &+ s0 &+ words[index - 7] &+ s1)
            }
            var v = state
            for step in 0..<64 {
                let s1 = rotate(v[4], left: 26) ^ rotate(v[4], left: 21) ^ rotate(v[4], left: 7)
                let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
                let first = v[7] &+ s1 &+ choice &+ sha256Constants[step] &+ words[step]
                let s0 = rotate(v[0], left: 30) ^ rotate(v[0], left: 19) ^ rotate(v[0], left: 10)
                let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
                v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
            }
            for index in 0..<8 { state[index] &+= v[index] }
        }
        return state.flatMap(bytes)
    }

    // MARK: Constants, by their definitions

    private static let md5Shifts: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]
    private static let md5Constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
    private static let sha256State = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }
    private static let sha256Constants = primes.map { fraction(of: cbrt(Double($0))) }

    private static let primes = (2...311).filter { number in
        (2..<number).allSatisfy { !number.isMultiple(of: $0) }
    }

    /// The first 32 bits behind the point.
    private static func fraction(of value: Double) -> UInt32 {
        UInt32((value - value.rounded(.down)) * 0x1p32)
    }

    // MARK: Bits and bytes

    /// The message with a one, zeros and its length in bits behind it, in blocks of 64 bytes.
    private static func blocks(
        of message: some Sequence<UInt8>, lengthIsBigEndian: Bool
    ) -> [ArraySlice<UInt8>] {
        var padded = Array(message)
        let bitCount = UInt64(padded.count) &* 8
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        let length = lengthIsBigEndian ? bitCount : bitCount.byteSwapped
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
