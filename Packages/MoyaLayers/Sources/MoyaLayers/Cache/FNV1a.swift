/// FNV-1a, a fast non-cryptographic hash. Use it only for values that no attacker chooses.
struct FNV1a {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    static func digest(_ text: String) -> UInt64 {
        var digest = FNV1a()
        digest.add(text.utf8)
        return digest.value
    }
}
