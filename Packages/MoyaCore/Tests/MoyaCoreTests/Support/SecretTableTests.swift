import Foundation
import Testing

@_spi(MoyaInternals) @testable import MoyaCore

/// A message for each row of the table of secrets.
@Suite struct SecretTableTests {
    private func shown(_ body: String) -> String {
        String(decoding: Redaction.default.redact(body: Data(body.utf8)), as: UTF8.self)
    }

    private func shown(address: String) -> String { Redaction.default.redact(url: address) }

    @Test(arguments: SecretTable.rows)
    func `a secret in the place of its row is masked`(row: SecretTable.Row) {
        switch row {
        case .part(let part):
            #expect(shown("{\"my\(part)s\":\"hush\"}") == "{\"my\(part)s\":\"***\"}")
            #expect(shown("a=1&\(part.uppercased())=hush") == "a=1&\(part.uppercased())=***")
        case .word(let word):
            #expect(shown("{\"my_\(word)\":\"hush\"}") == "{\"my_\(word)\":\"***\"}")
            #expect(shown("{\"xx\(word)xx\":\"seen\"}") == "{\"xx\(word)xx\":\"seen\"}")
        case .pair(let owners, let word):
            for owner in owners {
                #expect(shown("{\"\(owner)_\(word)\":\"hush\"}").contains("***"), "\(owner)")
                guard !owner.hasPrefix("time") else { continue }
                #expect(shown("{\"\(owner)\(word)\":\"hush\"}").contains("***"), "\(owner)")
            }
            #expect(shown("{\"other_\(word)\":\"seen\"}").contains("seen"))
        case .phrase(let words):
            #expect(Redaction.default.redact("hush", ofHeader: "X-\(words)") == "***")
        case .name(let name, let places):
            #expect(
                shown(address: "/a?\(name)=hush").contains("***") == places.contains(.parameter))
            #expect(shown("{\"\(name)\":\"hush\"}").contains("***") == places.contains(.member))
            #expect(
                (Redaction.default.redact("hush", ofHeader: name) == "***")
                    == places.contains(.field))
        case .random(let name):
            #expect(shown(address: "/a?\(name)=af0ifjsldkj") == "/a?\(name)=***")
            for word in ["open", "New-York", "1", "in_progress"] {
                #expect(shown(address: "/a?\(name)=\(word)") == "/a?\(name)=\(word)")
            }
        case .path(let segment):
            #expect(shown(address: "/\(segment)/hush/a?b=1") == "/\(segment)/***/a?b=1")
            #expect(shown(address: "/\(segment)?a=1") == "/\(segment)?a=1")
            #expect(shown(address: "/seen/\(segment)") == "/seen/\(segment)")
        case .scheme(let scheme, let minimum):
            let token = String(repeating: "a", count: minimum)
            #expect(shown("got \(scheme) \(token), ok") == "got \(scheme) ***, ok")
        case .token(let beginning, let minimum):
            let token = beginning + String(repeating: "0", count: minimum - beginning.utf8.count)
            #expect(shown("got \(token) ok") == "got *** ok")
            #expect(shown("got \(token.dropLast()) ok") == "got \(token.dropLast()) ok")
        case .address(let beginning):
            #expect(shown("at https://\(beginning)hush now") == "at https://\(beginning)*** now")
        }
    }

    /// The names as services write them.
    @Test(arguments: [
        "securitycode", "verificationcode", "backupcodes", "resetcode", "securityanswer",
        "seedphrase", "cardnumber", "casticket", "loginhash", "signingkeys", "accesscodes",
    ])
    func `a secret member is masked if its words run together in lower case`(name: String) {
        #expect(shown("{\"\(name)\":\"hush\"}") == "{\"\(name)\":\"***\"}")
    }

    @Test(arguments: ["timecode", "barcode", "postcode", "encodes", "housenumber", "filehash"])
    func `a member whose words run together stays readable without a pair in it`(name: String) {
        #expect(shown("{\"\(name)\":\"seen\"}") == "{\"\(name)\":\"seen\"}")
    }

    @Test(arguments: [
        ("https://h.test/reset-password/hush", "https://h.test/reset-password/***"),
        (
            "https://h.test/users/password_reset/hush?a=1",
            "https://h.test/users/password_reset/***?a=1"
        ),
        ("/Invite/hush/accept", "/Invite/***/accept"), ("/magic-link/hush", "/magic-link/***"),
        ("/verify-email/hush;v=1", "/verify-email/***;v=1"), ("/unsubscribe/", "/unsubscribe/"),
        ("/invites/7/accept", "/invites/7/accept"),
        ("/a?sas=hush&invite=hush", "/a?sas=***&invite=***"),
        ("/a?magic=hush&magical=seen", "/a?magic=***&magical=seen"),
    ])
    func `a secret after a telling path segment or in a telling parameter is masked`(
        address: String, expected: String
    ) {
        #expect(shown(address: address) == expected)
        #expect(shown("see <\(address)> now").contains("hush") == false || address.hasPrefix("/"))
    }
}
