import Foundation
import MoyaCore
import MoyaPlugins
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a body to a location of Apache that requires authentication.
private struct Upload: TargetType {
    var baseURL: URL
    var path: String

    var method: MoyaCore.Method { .post }
    var task: RequestTask { .requestData(Data("a body that is sent twice".utf8)) }
    var headers: [String: String]? { ["Content-Type": "text/plain"] }
    var timeoutInterval: TimeInterval? { 120 }
}

/// ``CredentialsPlugin`` with challenges of a real server, with libcurl and with URLSession.
@Suite(.requires(.apache("auth_digest"))) struct ChallengeTests {
    private func provider(
        _ kind: Carrier, password: String? = Reflector.password
    ) -> MoyaProvider<Upload> {
        let plugin = CredentialsPlugin { _ in
            password.map { URLCredential(user: Reflector.user, password: $0, persistence: .none) }
        }
        return MoyaProvider(transport: kind.transport, plugins: [plugin])
    }

    @Test(arguments: Carrier.allCases, [("/basic", "Basic "), ("/digest", "Digest ")])
    func `a credential answers a Basic or Digest challenge, and the body is resent`(
        kind: Carrier, place: (path: String, scheme: String)
    ) async throws {
        let apache = try await Reflector()
        let upload = Upload(baseURL: apache.url, path: place.path)
        let response = try await provider(kind).request(upload)
        #expect(response.statusCode == 200)
        #expect(response.data == Data("a body that is sent twice".utf8))
        let proof = try #require(response.head?.value(for: "X-Proof"))
        #expect(proof.hasPrefix(place.scheme))
    }

    @Test(arguments: Carrier.allCases)
    func `a Digest answer has the user name and the realm, but not the password`(
        kind: Carrier
    ) async throws {
        let apache = try await Reflector()
        let response = try await provider(kind).request(
            Upload(baseURL: apache.url, path: "/digest"))
        let proof = try #require(response.head?.value(for: "X-Proof"))
        for part in [#"username="ash""#, #"realm="the realm""#, #"uri="/digest""#, "qop=auth"] {
            #expect(proof.contains(part))
        }
        #expect(proof.contains("cnonce="))
        #expect(!proof.contains(Reflector.password))
    }

    @Test(arguments: Carrier.allCases)
    func `each request answers a one-time Digest nonce with a new proof`(kind: Carrier)
        async throws
    {
        let apache = try await Reflector()
        let provider = provider(kind)
        var proofs: Set<String> = []
        for _ in 1...3 {
            let response = try await provider.request(
                Upload(baseURL: apache.url, path: "/once"))
            #expect(response.statusCode == 200)
            proofs.insert(response.head?.value(for: "X-Proof") ?? "")
        }
        #expect(proofs.count == 3)
    }

    @Test(arguments: Carrier.allCases, [nil, "a guess"])
    func `a request without the right password returns the 401 with its challenge`(
        kind: Carrier, password: String?
    ) async throws {
        let apache = try await Reflector()
        for (path, scheme) in [("/basic", "Basic "), ("/digest", "Digest ")] {
            let response = try await provider(kind, password: password).request(
                Upload(baseURL: apache.url, path: path))
            #expect(response.statusCode == 401)
            let challenge = try #require(response.head?.value(for: "WWW-Authenticate"))
            #expect(challenge.hasPrefix(scheme + #"realm="the realm""#))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `concurrent requests each answer the Digest challenge`(kind: Carrier) async throws {
        let apache = try await Reflector()
        let provider = provider(kind)
        let upload = Upload(baseURL: apache.url, path: "/digest")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask { try await provider.request(upload).statusCode }
            }
            for try await status in group { #expect(status == 200) }
        }
    }
}
