import Foundation

/// The parts that differ between MD5, SHA-256 and SHA-512.
protocol BlockFunction: Sendable {
    associatedtype Word: FixedWidthInteger & Sendable
    /// Block size in bytes.
    static var blockSize: Int { get }
    static var isBigEndian: Bool { get }
    static var initialState: [Word] { get }
    /// Updates `state` with a block.
    static func compress(_ block: UnsafeRawBufferPointer, into state: inout [Word])
}

/// A hash function over blocks. The last block ends with the length of the message (FIPS 180-4,
/// section 5.1; RFC 1321, section 3).
struct BlockHash<Function: BlockFunction>: IncrementalHash {
    private var state = Function.initialState
    /// Bytes of an incomplete block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    mutating func update(_ data: Data) {
        data.withUnsafeBytes { update($0) }
    }

    private mutating func update(_ bytes: UnsafeRawBufferPointer) {
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

    func finalize() -> Data {
        var last = self
        // The length is at the end of a block, twice as wide as a word.
        let lengthSize = MemoryLayout<Function.Word>.size * 2
        var padding: [UInt8] = [0x80]
        while (rest.count + padding.count + lengthSize) % Function.blockSize != 0 {
            padding.append(0)
        }
        padding += [UInt8](repeating: 0, count: lengthSize - 8)
        padding += Self.bytes(of: count << 3)
        padding.withUnsafeBytes { last.update($0) }
        var digest = Data()
        for word in last.state { digest += Self.bytes(of: word) }
        return digest
    }

    private static func bytes(of word: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: Function.isBigEndian ? word.bigEndian : word.littleEndian) {
            Array($0)
        }
    }
}
