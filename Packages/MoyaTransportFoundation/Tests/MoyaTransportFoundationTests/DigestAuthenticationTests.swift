import Foundation
import MoyaInternals
import MoyaMockServer
import MoyaTransportFoundation
import Testing

@testable import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct DigestAuthenticationTests {
    private func digest(_ field: String) throws -> DigestAuthentication {
        try #require(Challenge.parse(field).compactMap(DigestAuthentication.init).first)
    }

    // MARK: Computed answers

    // SHA-512-256: by Python's hashlib, because the RFC has no such example.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("SHA-512-256", "430d05014cecc49cab6fbe03176d41a1da86cbfe24a16580e22aaad928d960d0"),
    ])
    func `a Digest answer matches the example of RFC 7616`(algorithm: String, response: String)
        throws
    {
        let digest = try digest(
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), "
                + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", "
                + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"")
        let answer = digest.answer(
            user: "Mufasa", password: "Circle of Life", method: "GET", target: "/dir/index.html",
            count: 1, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(
            answer
                == "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", "
                + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", uri=\"/dir/index.html\", "
                + "response=\"\(response)\", algorithm=\(algorithm), qop=auth, nc=00000001, "
                + "cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", "
                + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"")
    }

    // Computed with Python's hashlib by RFC 7616, sections 3.4.1 to 3.4.3.
    @Test(
        arguments: [
            ("MD5", .none, "8804a53d3640a40a4f73cea12c5ba451"),
            (
                "SHA-256", .data(Data("body".utf8)),
                "2fa9fd5a55eaefc542900085331c15a0d8dcebeb505811bdd82a5b1f49ae156e"
            ),
        ] as [(String, RequestBody, String)])
    func `a Digest answer with auth-int contains the hash of the body`(
        algorithm: String, body: RequestBody, response: String
    ) throws {
        let digest = try digest(
            "Digest realm=\"http-auth@example.org\", qop=\"auth-int\", algorithm=\(algorithm), "
                + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\"")
        #expect(digest.mayAnswer(for: body))
        #expect(!digest.mayAnswer(for: .file(URL(fileURLWithPath: "/"))))
        let answer = digest.answer(
            user: "Mufasa", password: "Circle of Life", method: "GET", target: "/dir/index.html",
            body: body, count: 1, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(answer.contains("response=\"\(response)\""), "\(answer)")
        #expect(answer.contains("qop=auth-int, nc=00000001"))
    }

    @Test func `a Digest challenge without qop gets the answer of RFC 2069`() throws {
        // RFC 2069, section 2.4, with its erratum 749.
        let digest = try digest(
            "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"")
        let answer = digest.answer(
            user: "Mufasa", password: "CircleOfLife", method: "GET", target: "/dir/index.html",
            count: 1, clientNonce: "x")
        #expect(answer.contains("response=\"1949323746fe6a43ef61f9606e7febea\""))
        #expect(!answer.contains("nc=") && !answer.contains("cnonce="))
    }

    @Test func `quoted, non-ASCII and hashed user names are sent in a Digest answer`() throws {
        func answer(_ field: String, user: String) throws -> String {
            try digest("Digest realm=\"r\\\"s\", nonce=\"n\", qop=auth\(field)").answer(
                user: user, password: "", method: "GET", target: "/", count: 0x1F, clientNonce: "c")
        }
        #expect(try answer("", user: "a\"b").contains("username=\"a\\\"b\", realm=\"r\\\"s\""))
        #expect(try answer("", user: "Jäsøn").contains("username*=UTF-8''J%C3%A4s%C3%B8n,"))
        #expect(try answer("", user: "a").contains("nc=0000001f"))
        let hashed = try answer(", userhash=true", user: "a")
        #expect(
            hashed.contains("username=\"\(DigestAuthentication.Algorithm.md5.hash("a:r\"s"))\""))
        #expect(hashed.hasSuffix("userhash=true"))
    }

    @Test(arguments: [
        "Basic realm=r, nonce=n", "Digest realm=r", "Digest nonce=n",
        "Digest realm=r, nonce=n, algorithm=SHA3-256", "Digest realm=r, nonce=n, qop=auth-conf",
    ])
    func `an unsupported or incomplete Digest challenge is not answered`(field: String) throws {
        #expect(Challenge.parse(field).compactMap(DigestAuthentication.init).isEmpty)
    }

    // MARK: Against a strict server

    private func send(
        _ path: String = "/a%20b/c?d=e&f", to server: MockServer, method: String = "GET",
        password: String = "Circle of Life", over transport: FoundationTransport = .init()
    ) async throws -> TransportResponse {
        let url = try #require(URL(string: server.url.absoluteString + path))
        var request = URLRequest(url: url)
        request.httpMethod = method
        return try await transport.send(
            TransportRequest(
                request, body: method == "GET" ? RequestBody.none : .data(Data("body".utf8)),
                credential: URLCredential(user: "Mufasa", password: password, persistence: .none)))
    }

    @Test(
        arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"], ["GET", "POST"])
    func `a Digest challenge is answered in a second request`(algorithm: String, method: String)
        async throws
    {
        let guardian = DigestGuardian(algorithms: [algorithm])
        let server = try MockServer(handler: guardian.answer)
        defer { server.stop() }
        #expect(try await send(to: server, method: method).head.statusCode == 200)
        #expect(server.requests.map { $0.value(for: "Authorization") == nil } == [true, false])
        #expect(server.requests.last?.body == Data((method == "GET" ? "" : "body").utf8))
    }

    @Test(arguments: ["/", "", "/?x", "/a/../b?c=%2F", "/%C3%A9;p=1"])
    func `the Digest answer hashes the request target as sent`(path: String) async throws {
        let server = try MockServer(handler: DigestGuardian(algorithms: ["MD5"]).answer)
        defer { server.stop() }
        #expect(try await send(path, to: server).head.statusCode == 200)
    }

    @Test func `a wrong Digest password is refused once and not tried again`() async throws {
        let server = try MockServer(handler: DigestGuardian(algorithms: ["SHA-256"]).answer)
        defer { server.stop() }
        #expect(try await send(to: server, password: "?").head.statusCode == 401)
        #expect(server.requests.count == 2)
    }

    @Test func `the strongest supported Digest algorithm is chosen`() async throws {
        let guardian = DigestGuardian(algorithms: ["MD5", "SHA-256", "SHA-512-256"])
        let server = try MockServer(handler: guardian.answer)
        defer { server.stop() }
        #expect(try await send(to: server).head.statusCode == 200)
        let answer = server.requests.last?.value(for: "Authorization")
        #expect(answer?.contains("algorithm=SHA-256,") == true)
    }

    @Test func `a stale nonce is renewed once`() async throws {
        for staleCount in [1, 2] {
            let guardian = DigestGuardian(algorithms: ["SHA-256"], staleCount: staleCount)
            let server = try MockServer(handler: guardian.answer)
            defer { server.stop() }
            let response = try await send(to: server)
            #expect(response.head.statusCode == (staleCount == 1 ? 200 : 401))
            #expect(server.requests.count == 3)
        }
    }

    @Test func `a repeated nonce increments the nonce count`() async throws {
        let guardian = DigestGuardian(algorithms: ["MD5"], nonce: "always the same")
        let server = try MockServer(handler: guardian.answer)
        defer { server.stop() }
        let transport = FoundationTransport()
        for _ in 0..<17 {
            #expect(try await send(to: server, over: transport).head.statusCode == 200)
        }
        #expect(server.requests.last?.value(for: "Authorization")?.contains("nc=00000011") == true)
    }

    @Test func `a Digest credential is not sent to another origin`() async throws {
        let other = try MockServer(handler: DigestGuardian(algorithms: ["MD5"]).answer)
        defer { other.stop() }
        let elsewhere = other.url.absoluteString
        let server = try MockServer { _ in .redirect(to: elsewhere, status: 307) }
        defer { server.stop() }
        #expect(try await send(to: server).head.statusCode == 401)
        #expect(other.requests.map { $0.value(for: "Authorization") } == [nil])
    }
}

/// Server that requires Digest authentication exactly as RFC 7616 specifies, with the user of the
/// RFC's example.
private final class DigestGuardian: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var staleLeft: Int
        var nonce = 0
    }

    private let algorithms: [String]
    private let fixedNonce: String?
    private let state: Locked<State>

    init(algorithms: [String], nonce: String? = nil, staleCount: Int = 0) {
        self.algorithms = algorithms
        fixedNonce = nonce
        state = Locked(State(staleLeft: staleCount))
    }

    func answer(_ request: MockRequest) -> MockResponse {
        guard let field = request.value(for: "Authorization") else {
            return refusal(isStale: false)
        }
        guard isRight(field, for: request) else { return refusal(isStale: false) }
        let isStale = state.withLock { state in
            defer { state.staleLeft -= 1 }
            return state.staleLeft > 0
        }
        return isStale ? refusal(isStale: true) : .text("welcome")
    }

    private func refusal(isStale: Bool) -> MockResponse {
        let nonce = state.withLock { state in
            state.nonce += 1
            let nonce = fixedNonce ?? "nonce \(state.nonce)"
            if state.counts[nonce] == nil { state.counts[nonce] = 0 }
            return nonce
        }
        // One field per challenge. The client has to separate them even if they are joined.
        return algorithms.reduce(
            .text("Who?", status: 401).adding("WWW-Authenticate", "Basic realm=b")
        ) {
            $0.adding(
                "WWW-Authenticate",
                "Digest realm=\"the, pride\", qop=\"auth-int,auth\", algorithm=\($1), nonce=\"\(nonce)\", "
                    + "opaque=\"o\"" + (isStale ? ", stale=TRUE" : ""))
        }
    }

    private func isRight(_ field: String, for request: MockRequest) -> Bool {
        guard let answer = Challenge.parse(field).first, answer.scheme == "digest" else {
            return false
        }
        let given = answer.parameters
        guard given["username"] == "Mufasa", given["realm"] == "the, pride", given["opaque"] == "o",
            given["qop"] == "auth", let algorithm = given["algorithm"],
            algorithms.contains(algorithm), given["uri"] == request.target,
            let nonce = given["nonce"], let clientNonce = given["cnonce"], clientNonce.count >= 16,
            let count = given["nc"], count.count == 8, isNext(Int(count, radix: 16), of: nonce)
        else { return false }
        let hash: (String) -> String =
            (algorithm.hasPrefix("MD5") ? DigestAuthentication.Algorithm.md5 : .sha256).hash
        var secret = hash("Mufasa:the, pride:Circle of Life")
        if algorithm.hasSuffix("-sess") { secret = hash("\(secret):\(nonce):\(clientNonce)") }
        let line = hash("\(request.method):\(request.target)")
        return given["response"] == hash("\(secret):\(nonce):\(count):\(clientNonce):auth:\(line)")
    }

    private func isNext(_ count: Int?, of nonce: String) -> Bool {
        state.withLock { state in
            guard let known = state.counts[nonce], count == known + 1 else { return false }
            state.counts[nonce] = count
            return true
        }
    }
}
