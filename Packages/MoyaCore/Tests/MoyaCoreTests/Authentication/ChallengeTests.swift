import Testing

@testable import MoyaCore

@Suite struct ChallengeTests {
    @Test(
        arguments: [
            ("", []), (",", []), ("=", []), ("Basic", [Challenge(scheme: "basic")]),
            (
                "Basic realm=\"simple\"",
                [Challenge(scheme: "basic", parameters: ["realm": "simple"])]
            ),
            // RFC 9110, section 11.6.1.
            (
                "Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\"",
                [
                    Challenge(scheme: "basic", parameters: ["realm": "simple"]),
                    Challenge(
                        scheme: "newauth",
                        parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                ]
            ),
            (
                "Digest REALM = \"a, Basic b=c\" ,qop=auth,, nonce=x==, Basic",
                [
                    Challenge(
                        scheme: "digest",
                        parameters: ["realm": "a, Basic b=c", "qop": "auth", "nonce": "x=="]),
                    Challenge(scheme: "basic"),
                ]
            ),
            (
                "Negotiate YIIabc+/==, NTLM, Basic realm=r",
                [
                    Challenge(scheme: "negotiate"), Challenge(scheme: "ntlm"),
                    Challenge(scheme: "basic", parameters: ["realm": "r"]),
                ]
            ),
            ("Basic realm=\"r", [Challenge(scheme: "basic")]),
            ("Basic realm=\"r\\", [Challenge(scheme: "basic")]),
            (
                "Digest realm=;, Basic",
                [
                    Challenge(scheme: "digest", parameters: ["realm": ";"]),
                    Challenge(scheme: "basic"),
                ]
            ),
            (
                "Digest nonce=\"1\", nonce=\"2\"",
                [Challenge(scheme: "digest", parameters: ["nonce": "1"])]
            ),
        ] as [(String, [Challenge])])
    func `a WWW-Authenticate field is parsed into its challenges`(
        field: String, challenges: [Challenge]
    ) {
        #expect(Challenge.parse(field) == challenges)
    }
}
