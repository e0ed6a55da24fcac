import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// A response with a part of the file.
struct SegmentResponse: Sendable {
    let answer: UnvalidatedResponse
    /// The byte after its last one. `nil` where that is not known.
    let end: Int64?
}

/// Checks what Content-Digest says of a part of the file (RFC 9530, section 2). That of a whole one is the file's.
struct ContentDigest {
    let expected: Checksum
    private var digester: Digester

    init?(_ head: ResponseHead) {
        guard head.statusCode == 206, !head.isCoded,
            let expected = Checksum(field: head.value(for: "Content-Digest"))
        else { return nil }
        self.expected = expected
        digester = Digester(expected.algorithm.function)
    }

    mutating func update(_ data: Data) { digester.update(data) }

    /// The digest of what has come, if it is not the expected one.
    func wrongDigest() throws -> Checksum? {
        let actual = try Checksum(expected.algorithm, digest: digester.finalize())
        return actual == expected ? nil : actual
    }
}
