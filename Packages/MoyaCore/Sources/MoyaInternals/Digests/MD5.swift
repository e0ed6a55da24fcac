import Foundation

/// MD5 (RFC 1321, section 3.4).
enum MD5Blocks: BlockFunction {
    static let blockSize = 64
    static let isBigEndian = false
    static let initialState: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]

    private static let shifts: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]
    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }

    static func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let mix: UInt32
            let index: Int
            switch step / 16 {
            case 0: (mix, index) = ((b & c) | (~b & d), step)
            case 1: (mix, index) = ((d & b) | (~d & c), (5 * step + 1) % 16)
            case 2: (mix, index) = (b ^ c ^ d, (3 * step + 5) % 16)
            default: (mix, index) = (c ^ (b | ~d), 7 * step % 16)
            }
            let word = UInt32(
                littleEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
            let sum = a &+ mix &+ constants[step] &+ word
            let shift = shifts[step / 16][step % 4]
            (a, b, c, d) = (d, b &+ (sum &<< shift | sum &>> (32 &- shift)), b, c)
        }
        for (i, word) in [a, b, c, d].enumerated() { state[i] &+= word }
    }
}
