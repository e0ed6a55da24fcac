/// FNV-1a, a fast non-cryptographic hash. Use it only for values that no attacker chooses.
enum FNV1a {
    static func digest(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
