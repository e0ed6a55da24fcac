import Foundation
import MoyaTestSupport
import Testing

/// An Apache server on 127.0.0.1 for the duration of a test. It requires a user name and a
/// password, and returns the request's body, with the received `Authorization` in `X-Proof`.
final class Reflector: Sendable {
    static let user = "ash"
    static let password = "open sesame"

    let url: URL
    private let folder: TemporaryFolder
    private let apache: Apache

    init() async throws {
        folder = try TemporaryFolder()
        // MD5 of `ash:the realm:open sesame`, and SHA-1 of the password in Base64.
        let digest = try folder.file(
            "digest", Data("ash:the realm:1208a75c0f16e62f7269e92931f92317\n".utf8))
        let basic = try folder.file(
            "basic", Data("ash:{SHA}W8r/fyL/UzygmbNAjq2HbA67qac=\n".utf8))
        apache = try await Apache(
            in: folder.url,
            loading: [
                "headers", "authn_core", "authn_file", "authz_user", "auth_basic", "auth_digest",
                "reflector",
            ], Self.directives(digest: digest, basic: basic))
        url = try #require(URL(string: "http://127.0.0.1:\(apache.port)"))
    }

    private static func directives(digest: URL, basic: URL) -> String {
        """
        <Location />
            SetHandler reflector
            AuthName "the realm"
            Require valid-user
            Header set X-Proof "expr=%{HTTP:Authorization}"
        </Location>
        <Location /basic>
            AuthType Basic
            AuthBasicProvider file
            AuthUserFile \(basic.path)
        </Location>
        <Location /digest>
            AuthType Digest
            AuthDigestProvider file
            AuthUserFile \(digest.path)
        </Location>
        # Each nonce is good for one request.
        <Location /once>
            AuthType Digest
            AuthDigestProvider file
            AuthUserFile \(digest.path)
            AuthDigestNonceLifetime 0
        </Location>
        """
    }
}
