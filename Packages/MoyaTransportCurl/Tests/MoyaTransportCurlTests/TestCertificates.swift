import Foundation
import MoyaTestSupport

/// Creates a certificate authority and certificates for one test.
enum TestCertificates {
    /// The kind of a server certificate.
    enum Kind: String, Sendable {
        case valid, expired, otherHost, selfSigned
        /// Names the host in its common name alone.
        case commonName
    }

    /// Creates `ca.pem`, `server.pem` and `client.pem` in `folder`, with their keys and other
    /// formats that tests use.
    static func make(_ certificate: Kind, in folder: URL) async throws {
        let names =
            switch certificate {
            case .otherHost: "subjectAltName=DNS:other.test"
            // Another kind of name does not count either.
            case .commonName: "subjectAltName=email:host@moya.test"
            default: "subjectAltName=IP:127.0.0.1,DNS:moya.test"
            }
        let sign =
            certificate == .selfSigned
            ? "openssl x509 -req -in s.csr -signkey server.key -days 2 -extfile ext -out server.pem"
            : certificate == .expired
                ? "touch index; echo 01 > serial; openssl ca -batch -config ca.conf -in s.csr -out server.pem "
                    + "-startdate 20200101000000Z -enddate 20200102000000Z -extfile ext"
                : "openssl x509 -req -in s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext "
                    + "-out server.pem"
        let script = """
            set -e
            cd '\(folder.path)'
            echo '\(names)' > ext
            printf '[ca]\\ndefault_ca=d\\n[d]\\ndatabase=index\\nserial=serial\\nnew_certs_dir=.\\n' > ca.conf
            printf 'certificate=ca.pem\\nprivate_key=ca.key\\ndefault_md=sha256\\npolicy=p\\n' >> ca.conf
            printf '[p]\\ncommonName=supplied\\n' >> ca.conf
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem \
                -days 2 -subj /CN=authority
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.key -out s.csr \
                -subj /CN=\(certificate == .commonName ? "127.0.0.1" : "server")
            \(sign)
            openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | openssl base64 > pin
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout client.key -out c.csr \
                -subj /CN=client
            openssl x509 -req -in c.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out client.pem
            openssl pkey -in client.key -aes256 -passout pass:moya -out client.secret.key
            openssl pkcs12 -export -in client.pem -inkey client.key -out client.p12 -passout pass:moya
            """
        try await run(script, "openssl could not make the certificates.")
    }

    /// SHA-256 of the server's public key, in Base64.
    static func pin(in folder: URL) throws -> String {
        try String(contentsOf: folder.appendingPathComponent("pin"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func run(_ script: String, _ failure: String) async throws {
        let isDone = try await Program("/usr/bin/env", ["bash", "-c", script]).hasSucceeded()
        if !isDone { throw IssueError(failure) }
    }
}
