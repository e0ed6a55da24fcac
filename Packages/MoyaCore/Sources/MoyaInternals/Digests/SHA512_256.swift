import Foundation

/// SHA-512/256 (FIPS 180-4, section 6.7): SHA-512 with another initial state, cut to 32 bytes.
struct SHA512_256: IncrementalHash {
    private enum Blocks: BlockFunction {
        static let blockSize = SHA512Blocks.blockSize
        static let isBigEndian = SHA512Blocks.isBigEndian
        // FIPS 180-4, section 5.3.6.2.
        static let initialState: [UInt64] = [
            0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151,
            0x9638_7719_5940_eabd, 0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992,
            0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
        ]

        static func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt64]) {
            SHA512Blocks.compress(block, into: &state)
        }
    }

    private var hash = BlockHash<Blocks>()

    mutating func update(_ data: Data) { hash.update(data) }
    func finalize() -> Data { hash.finalize().prefix(32) }
}
