import Foundation

/// The part of SHA-256 and SHA-512 that differs (FIPS 180-4, section 6).
public protocol SHA2Function: Sendable {
    associatedtype Word: FixedWidthInteger & Sendable
    /// In bytes.
    static var blockSize: Int { get }
    static var initialState: [Word] { get }
    /// Takes one block into `state`.
    static func compress(_ block: UnsafeRawBufferPointer, into state: inout [Word])
}

/// A digest that is computed while bytes come in. Foundation has none on every platform.
public struct SHA2<Function: SHA2Function>: Sendable {
    private var state = Function.initialState
    /// The beginning of a block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    public init() {}

    /// Takes in more bytes.
    public mutating func update(_ data: Data) {
        data.withUnsafeBytes { update($0) }
    }

    /// Takes in more bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += UInt64(bytes.count)
        var bytes = bytes[...]
        if !rest.isEmpty {
            let missing = bytes.prefix(Function.blockSize - rest.count)
            rest.append(contentsOf: missing)
            bytes = bytes.dropFirst(missing.count)
            guard rest.count == Function.blockSize else { return }
            rest.withUnsafeBytes { Function.compress($0, into: &state) }
            rest.removeAll(keepingCapacity: true)
        }
        while bytes.count >= Function.blockSize {
            let block = UnsafeRawBufferPointer(rebasing: bytes.prefix(Function.blockSize))
            Function.compress(block, into: &state)
            bytes = bytes.dropFirst(Function.blockSize)
        }
        rest.append(contentsOf: bytes)
    }

    /// The digest of what has come in so far.
    public func finalize() -> Data {
        var last = self
        // The length stands at the end of a block, in twice the bytes of a word.
        let lengthSize = MemoryLayout<Function.Word>.size * 2
        var padding: [UInt8] = [0x80]
        while (rest.count + padding.count + lengthSize) % Function.blockSize != 0 {
            padding.append(0)
        }
        padding += [UInt8](repeating: 0, count: lengthSize - 8)
        withUnsafeBytes(of: (count << 3).bigEndian) { padding += $0 }
        padding.withUnsafeBytes { last.update($0) }
        var digest = Data()
        for word in last.state { withUnsafeBytes(of: word.bigEndian) { digest += $0 } }
        return digest
    }
}

/// SHA-256 (FIPS 180-4, section 6.2).
public enum SHA256: SHA2Function {
    public static let blockSize = 64

    public static func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt32]) {
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
public enum SHA512: SHA2Function {
    public static let blockSize = 128

    public static func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt64]) {
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
