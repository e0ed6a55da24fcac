import Foundation
import MoyaCore
import MoyaPlugins
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct AccessTokenPluginTests {
    private let plugin = AccessTokenPlugin { _ in "eyeAm.AJsOn.weBTOKen" }
    private let request = URLRequest(url: Thing().baseURL)

    @Test(arguments: [
        (AuthorizationType.basic, "Basic eyeAm.AJsOn.weBTOKen"),
        (.bearer, "Bearer eyeAm.AJsOn.weBTOKen"),
        (.custom("CustomAuthorizationHeader"), "CustomAuthorizationHeader eyeAm.AJsOn.weBTOKen"),
    ])
    func `AccessTokenPlugin sends the token with the authorization type of the target`(
        type: AuthorizationType, expected: String
    ) {
        let prepared = plugin.prepare(request, target: Thing(authorizationType: type))
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == expected)
    }

    @Test func `AccessTokenPlugin sends no token to a target without an authorization type`() {
        #expect(
            plugin.prepare(request, target: Thing()).allHTTPHeaderFields?["Authorization"] == nil)
        #expect(
            plugin.prepare(request, target: Unauthorized()).allHTTPHeaderFields?["Authorization"]
                == nil)
    }

    @Test func `AccessTokenPlugin uses the authorization type of a MultiTarget's inner target`() {
        let prepared = plugin.prepare(
            request, target: MultiTarget(Thing(authorizationType: .bearer)))
        #expect(
            prepared.value(forHTTPHeaderField: "Authorization") == "Bearer eyeAm.AJsOn.weBTOKen")
        #expect(MultiTarget(Thing(authorizationType: .basic)).authorizationType == .basic)
        #expect(MultiTarget(Unauthorized()).authorizationType == nil)
    }

    @Test func `AccessTokenPlugin passes a MultiTarget's inner target to the token closure`() {
        let plugin = AccessTokenPlugin { target in target is Thing ? "inner" : "outer" }
        let prepared = plugin.prepare(
            request, target: MultiTarget(Thing(authorizationType: .bearer)))
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == "Bearer inner")
    }

    @Test func `AccessTokenPlugin replaces an existing Authorization header field`() {
        var request = request
        request.setValue("Bearer old", forHTTPHeaderField: "authorization")
        let prepared = plugin.prepare(request, target: Thing(authorizationType: .bearer))
        #expect(
            prepared.value(forHTTPHeaderField: "Authorization") == "Bearer eyeAm.AJsOn.weBTOKen")
    }

    @Test(arguments: ["a\r\nInjected: 1", "a\u{0}b"])
    func `an access token with a control character is never sent`(token: String) async {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<Thing>(
            transport: transport, plugins: [AccessTokenPlugin { _ in token }])
        let target = Thing(authorizationType: .bearer)
        do {
            _ = try await provider.request(target)
            // Foundation dropped the field, so the request was sent without it.
            let sent = transport.requests.first?.urlRequest
            #expect(sent?.value(forHTTPHeaderField: "Authorization") == nil)
        } catch {
            #expect((error as? MoyaError)?.underlyingError is RequestError)
            #expect(transport.requests.isEmpty)
        }
    }

    @Test func `authorization types with equal schemes are equal`() {
        #expect(AuthorizationType.custom("a") == .custom("a"))
        #expect(AuthorizationType.custom("a") != .custom("b"))
        #expect(AuthorizationType.basic != .bearer)
        #expect(AuthorizationType.basic.value == "Basic")
    }
}

@Suite struct CredentialsPluginTests {
    /// The example of RFC 7617, section 2.
    @Test(
        arguments: [
            ("https://host.test/", "Aladdin", nil, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("HTTPS://host.test/", "Aladdin", "Mine", "Mine"),
            ("http://host.test/", "Aladdin", nil, nil),
            // RFC 7617, section 2: a user name with a colon is invalid.
            ("https://host.test/", "Ala:ddin", nil, nil),
            // The colon and U+0301 are one Character.
            ("https://host.test/", "Ala:\u{301}ddin", nil, nil),
        ] as [(String, String, String?, String?)])
    func `CredentialsPlugin sends Basic at once over TLS if it is to`(
        address: String, user: String, own: String?, expected: String?
    ) {
        let credential = URLCredential(user: user, password: "open sesame", persistence: .none)
        var request = URLRequest(url: url(address))
        request.setValue(own, forHTTPHeaderField: "Authorization")
        let eager = CredentialsPlugin(sendsBasicAtOnce: true) { _ in credential }
        let prepared = eager.prepare(request, target: Thing())
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == expected)
        let patient = CredentialsPlugin { _ in credential }
        #expect(patient.prepare(request, target: Thing()) == request)
    }

    @Test func `CredentialsPlugin sets the credential that its closure returns for the target`()
        async throws
    {
        let transport = StubTransport { try .stub(for: $0) }
        let plugin = CredentialsPlugin { target in
            target is Thing
                ? URLCredential(user: "user", password: "passwd", persistence: .none) : nil
        }
        _ = try await MoyaProvider<Thing>(transport: transport, plugins: [plugin]).request(Thing())
        _ = try await MoyaProvider<Unauthorized>(transport: transport, plugins: [plugin]).request(
            Unauthorized())
        #expect(transport.requests.map { $0.credential?.user } == ["user", nil])
        #expect(transport.requests.first?.credential?.password == "passwd")
    }
}
