import Foundation
import MoyaCore
import MoyaInternals
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct AuthenticationCacheTests {
    /// Sends a request over `cache` to a server that requires `challenge`. Returns the fields
    /// `Authorization` (its scheme) and `Expect` of each request, as text.
    private func send(
        _ address: String, _ cache: AuthenticationCache, challenge: String?,
        password: String = "p", body: RequestBody = .data(Data("body".utf8)),
        failing: Bool = false
    ) async throws -> [String] {
        var request = TransportRequest(URLRequest(url: url(address)), body: body)
        request.urlRequest.httpMethod = "POST"
        request.credential = URLCredential(user: "u", password: password, persistence: .none)
        let sent = Recorder<String>()
        _ = try await request.answeringChallenges(cache) { request in
            let field = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            let scheme = field?.split(separator: " ").first ?? "-"
            let expectation = request.urlRequest.value(forHTTPHeaderField: "Expect") ?? "-"
            sent.record("\(scheme) \(expectation)")
            if failing { throw URLError(.networkConnectionLost) }
            let isKnown = challenge == nil || field?.hasPrefix(challenge ?? "") == true
            let fields = challenge.map {
                HeaderField(
                    name: "WWW-Authenticate", value: "\($0) realm=\"r\", nonce=\"n\", qop=auth")
            }
            return TransportResponse(
                head: ResponseHead(
                    statusCode: isKnown ? 200 : 401, url: url(address),
                    fields: fields.map { [$0] } ?? []))
        }
        return sent.items
    }

    private let address = "http://host.test/a/b"

    // RFC 9110, section 10.1.1: the body is sent when the server has responded.
    @Test(
        arguments: [
            (nil, ["- 100-continue"], ["- -"]),
            // The server may reject the credential, until it has accepted it.
            ("Basic", ["- 100-continue", "Basic 100-continue"], ["Basic -"]),
            // A nonce may be stale.
            ("Digest", ["- 100-continue", "Digest 100-continue"], ["Digest 100-continue"]),
        ] as [(String?, [String], [String])])
    func `a request with a body asks first unless its server's requirement is known`(
        challenge: String?, first: [String], second: [String]
    ) async throws {
        let cache = AuthenticationCache(asksFirst: true)
        #expect(try await send(address, cache, challenge: challenge) == first)
        #expect(try await send(address, cache, challenge: challenge) == second)
    }

    @Test func `a request without a body does not ask first`() async throws {
        let cache = AuthenticationCache(asksFirst: true)
        #expect(try await send(address, cache, challenge: nil, body: .none) == ["- -"])
        let other = AuthenticationCache(asksFirst: true)
        #expect(try await send(address, other, challenge: nil, body: .data(Data())) == ["- -"])
    }

    // RFC 9110, section 11.1: a server protects a method of a resource, or all of them.
    @Test func `a request with a body asks first after a request without one was not challenged`()
        async throws
    {
        let cache = AuthenticationCache(asksFirst: true)
        #expect(try await send(address, cache, challenge: nil, body: .none) == ["- -"])
        #expect(
            try await send(address, cache, challenge: "Basic")
                == ["- 100-continue", "Basic 100-continue"])
    }

    @Test func `a cache without schemes does not ask first`() async throws {
        let cache = AuthenticationCache(schemes: [], asksFirst: true)
        #expect(try await send(address, cache, challenge: "Negotiate") == ["- -"])
    }

    // RFC 7617, section 2.2: the same origin, and the path at or below the folder of the challenge.
    @Test(arguments: [
        ("http://host.test/a/b", true), ("http://HOST.test:80/a/?q", true),
        ("http://host.test/a/c/d", true), ("http://host.test/a/../a/c", true),
        ("http://host.test/a/%2e%2e/c", false), ("http://host.test/b/%2E./a/c", true),
        ("http://host.test/ab", false), ("http://host.test/a/../c", false),
        ("http://host.test/", false), ("https://host.test/a/b", false),
        ("http://host.test:81/a/b", false), ("http://host.test.evil/a/b", false),
    ])
    func `Basic is sent without a challenge to the same origin and folder alone`(
        other: String, isKnown: Bool
    ) async throws {
        let cache = AuthenticationCache()
        _ = try await send(address, cache, challenge: "Basic")
        let sent = try await send(other, cache, challenge: "Basic")
        #expect(sent == (isKnown ? ["Basic -"] : ["- -", "Basic -"]))
    }

    @Test func `another password of the same user is not sent without a challenge`()
        async throws
    {
        let cache = AuthenticationCache()
        _ = try await send(address, cache, challenge: "Basic")
        let sent = try await send(address, cache, challenge: "Basic", password: "q")
        #expect(sent == ["- -", "Basic -"])
    }

    @Test func `a server that changes from Basic to Digest gets Digest after one challenge`()
        async throws
    {
        let cache = AuthenticationCache()
        _ = try await send(address, cache, challenge: "Basic")
        #expect(try await send(address, cache, challenge: "Digest") == ["Basic -", "Digest -"])
        #expect(try await send(address, cache, challenge: "Digest") == ["Digest -"])
        // Without a domain, the challenge applies to the whole server (RFC 7616, section 3.3).
        #expect(try await send("http://host.test/", cache, challenge: "Digest") == ["Digest -"])
    }

    // A server that rejects the credential may close the connection before the body is sent.
    @Test(arguments: [nil, "Basic", "Digest"])
    func `a request with a body asks first after another has failed`(challenge: String?)
        async throws
    {
        let cache = AuthenticationCache(asksFirst: true)
        _ = try await send(address, cache, challenge: challenge)
        await #expect(throws: URLError.self) {
            try await send(address, cache, challenge: challenge, failing: true)
        }
        #expect(
            try await send(address, cache, challenge: "Basic")
                == ["- 100-continue", "Basic 100-continue"])
    }

    @Test func `the requirements of the latest 64 folders are stored`() async throws {
        let cache = AuthenticationCache()
        for index in 0...64 {
            _ = try await send("http://host.test/\(index)/", cache, challenge: "Basic")
        }
        for (index, count) in [(64, 1), (1, 1), (0, 2)] {
            let sent = try await send("http://host.test/\(index)/", cache, challenge: "Basic")
            #expect(sent.count == count, "folder \(index)")
        }
    }

    @Test func `a scheme that is not among those to answer is not answered`() async throws {
        for (schemes, challenge) in [
            (AuthenticationCache.Schemes.basic, "Digest"), (.digest, "Basic"), ([], "Basic"),
        ] {
            let cache = AuthenticationCache(schemes: schemes)
            #expect(try await send(address, cache, challenge: challenge) == ["- -"])
        }
    }

    /// RFC 9110, section 10.1.1.
    @Test func `after a 417 a body that can be sent once is not sent again`() async throws {
        let pieces = AsyncStream<Data> { $0.finish() }
        for (body, count) in [
            (RequestBody.data(Data("b".utf8)), 2),
            (.stream(RequestBodyStream(once: pieces)), 1),
        ] {
            var urlRequest = URLRequest(url: url(address))
            urlRequest.setValue("100-continue", forHTTPHeaderField: "expect")
            let request = TransportRequest(urlRequest, body: body)
            let requests = Recorder<Void>()
            let response = try await request.answeringChallenges(AuthenticationCache()) { _ in
                requests.record(())
                return TransportResponse(head: ResponseHead(statusCode: 417, url: url(address)))
            }
            #expect(response.head.statusCode == 417)
            #expect(requests.count == count)
        }
    }

    // RFC 9110, section 10.1.1. The caller has not set the field.
    @Test func `a body that can be sent once is sent after a 417 to a request that asked first`()
        async throws
    {
        let pieces = AsyncStream<Data> { $0.finish() }
        var request = TransportRequest(
            URLRequest(url: url(address)), body: .stream(RequestBodyStream(once: pieces)))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        let response = try await request.answeringChallenges(AuthenticationCache(asksFirst: true)) {
            let isRefused = $0.urlRequest.value(forHTTPHeaderField: "Expect") != nil
            return TransportResponse(
                head: ResponseHead(statusCode: isRefused ? 417 : 200, url: url(address)))
        }
        #expect(response.head.statusCode == 200)
    }
}
