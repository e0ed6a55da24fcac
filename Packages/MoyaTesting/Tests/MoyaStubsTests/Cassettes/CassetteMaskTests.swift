import Foundation
import MoyaCore
import Testing

@testable import MoyaStubs

@Suite struct CassetteMaskTests {
    @Test(arguments: [
        (Redaction.default, "http://[", "***"), (.none, "http://[", "http://["),
        (.default, "", ""), (.none, "", ""),
    ])
    func `A text that is not a URL is masked unless secrets are kept`(
        redaction: Redaction, text: String, recorded: String
    ) {
        let mask = CassetteMask(redaction: redaction, maskBody: { body, _ in body })
        #expect(mask.url(text) == recorded)
    }
}
