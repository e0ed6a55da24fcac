import Foundation
import Testing

@testable import MoyaTesting

@Suite struct SecretSearchTests {
    @Test(arguments: [
        ("s3/cret", "token=s3/cret"), ("s3/cret", "?token=s3%2Fcret&a=1"),
        ("s3/cret", "?token=s3%2fcret"), ("s3/cret", "?next=%3Ftoken%3Ds3%252Fcret"),
        ("s3/cret", #"{"token":"s3\/cret"}"#), ("s3/cret", "100% of s3%2Fcret"),
        ("my secret", "password=my+secret"), ("my secret", "password=my%20secret"),
        ("s€cret", "token=s%E2%82%ACcret"),
    ])
    func `A secret is found in its encoded forms`(secret: String, text: String) {
        #expect(SecretSearch(secret).finds(in: text))
    }

    @Test(arguments: ["", "a", "ab", "abc", "user:", "ann:"], ["", "!", "!!", "\u{7f}~~"])
    func `A secret is found in Base64 and base64url, whatever stands before and after it`(
        before: String, after: String
    ) {
        for secret in ["s3cret-token", "??>>~~~~~"] {
            let text = Data((before + secret + after).utf8).base64EncodedString()
            let urlText = text.replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_")
            #expect(SecretSearch(secret).finds(in: "Authorization: Basic \(text)"))
            #expect(SecretSearch(secret).finds(in: "?auth=\(urlText)"))
        }
    }

    @Test(arguments: [
        ("s3/cret", "token=s3%2Fother"), ("s3/cret", "s3cret"), ("ab", "abc".uppercased()),
        ("s3cret", "100%"), ("s3cret", "%zz%s%"), ("abc", "YWJj"),
    ])
    func `A text without the secret has no match`(secret: String, text: String) {
        #expect(!SecretSearch(secret).finds(in: text))
    }
}
