import Foundation
@_spi(MoyaInternals) import MoyaCore
import MoyaInternals

/// Response with bytes of a segment.
struct SegmentResponse: Sendable {
    let answer: StreamingResponse
    /// Offset in the file after the response's last byte. `nil` if unknown.
    let end: Int64?
}

/// Verifies `Content-Digest` of a response with a range of the file (RFC 9530, section 2).
/// `DownloadState` records the digest of a response with the whole file.
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

    /// Returns the digest of the received bytes if it differs from the expected one.
    func wrongDigest() throws -> Checksum? {
        let actual = try Checksum(expected.algorithm, digest: digester.finalize())
        return actual == expected ? nil : actual
    }
}
