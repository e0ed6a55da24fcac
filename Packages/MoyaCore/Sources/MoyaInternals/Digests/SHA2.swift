/// SHA-256 (FIPS 180-4, section 6.2).
enum SHA256Blocks: BlockFunction {
    static let blockSize = 64
    static let isBigEndian = true

    static func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
            for i in 0..<16 {
                w[i] = UInt32(
                    bigEndian: block.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self))
            }
            for i in 16..<64 {
                let (a, b) = (w[i - 15], w[i - 2])
                let s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)
                let s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10)
                w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            roundConstants.withUnsafeBufferPointer { k in
                for i in 0..<64 {
                    let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
                    let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[i] &+ w[i]
                    let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
                    let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
                    (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
                }
            }
            for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= word }
        }
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
    }
}

/// SHA-512 (FIPS 180-4, section 6.4).
enum SHA512Blocks: BlockFunction {
    static let blockSize = 128
    static let isBigEndian = true

    static func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt64]) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 80) { w in
            for i in 0..<16 {
                w[i] = UInt64(
                    bigEndian: block.loadUnaligned(fromByteOffset: i * 8, as: UInt64.self))
            }
            for i in 16..<80 {
                let (a, b) = (w[i - 15], w[i - 2])
                let s0 = rotate(a, 1) ^ rotate(a, 8) ^ (a >> 7)
                let s1 = rotate(b, 19) ^ rotate(b, 61) ^ (b >> 6)
                w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            roundConstants.withUnsafeBufferPointer { k in
                for i in 0..<80 {
                    let s1 = rotate(e, 14) ^ rotate(e, 18) ^ rotate(e, 41)
                    let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[i] &+ w[i]
                    let s0 = rotate(a, 28) ^ rotate(a, 34) ^ rotate(a, 39)
                    let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
                    (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
                }
            }
            for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= word }
        }
    }

    @inline(__always)
    private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word &>> count | word &<< (64 &- count)
    }
}
