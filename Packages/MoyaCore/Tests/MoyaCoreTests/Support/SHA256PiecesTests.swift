import Foundation
import MoyaCore
import MoyaInternals
import Testing

@Suite struct SHA256PiecesTests {
    @Test(arguments: [1, 63, 64, 65])
    func `The digest of data that arrives in pieces is the digest of the whole`(size: Int) {
        let whole = Data((0..<300).map { UInt8($0 % 251) })
        var expected = SHA2<SHA256>()
        expected.update(whole)
        var digest = SHA2<SHA256>()
        for start in stride(from: 0, to: whole.count, by: size) {
            digest.update(whole[start..<min(start + size, whole.count)])
        }
        #expect(digest.finalize() == expected.finalize())
    }
}
