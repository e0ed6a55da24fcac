import Foundation
import MoyaCore
import MoyaPlugins
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A target made of what a test needs.
struct Thing: TargetType, AccessTokenAuthorizable {
    var authorizationType: AuthorizationType?
    var headers: [String: String]?
    var validationType = ValidationType.none
    var task = RequestTask.requestPlain

    var baseURL: URL { URL(string: "https://api.example.test") ?? URL(fileURLWithPath: "/") }
    var path: String { "/thing" }
    var method: MoyaCore.Method { .get }
    var sampleData: Data { Data("sample".utf8) }
}

struct Unauthorized: TargetType {
    var baseURL: URL { Thing().baseURL }
    var path: String { "/open" }
    var method: MoyaCore.Method { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
}

@Suite struct AccessTokenPluginTests {
    private let plugin = AccessTokenPlugin { _ in "eyeAm.AJsOn.weBTOKen" }
    private let request = URLRequest(url: Thing().baseURL)

    @Test(arguments: [
        (AuthorizationType.basic, "Basic eyeAm.AJsOn.weBTOKen"),
        (.bearer, "Bearer eyeAm.AJsOn.weBTOKen"),
        (.custom("CustomAuthorizationHeader"), "CustomAuthorizationHeader eyeAm.AJsOn.weBTOKen"),
    ])
    func `sends the token as the target says`(type: AuthorizationType, expected: String) {
        let prepared = plugin.prepare(request, target: Thing(authorizationType: type))
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == expected)
    }

    @Test func `sends nothing where the target wants none`() {
        #expect(
            plugin.prepare(request, target: Thing()).allHTTPHeaderFields?["Authorization"] == nil)
        #expect(
            plugin.prepare(request, target: Unauthorized()).allHTTPHeaderFields?["Authorization"]
                == nil)
    }

    @Test func `asks the target inside a MultiTarget`() {
        let prepared = plugin.prepare(
            request, target: MultiTarget(Thing(authorizationType: .bearer)))
        #expect(
            prepared.value(forHTTPHeaderField: "Authorization") == "Bearer eyeAm.AJsOn.weBTOKen")
        #expect(MultiTarget(Thing(authorizationType: .basic)).authorizationType == .basic)
        #expect(MultiTarget(Unauthorized()).authorizationType == nil)
    }

    @Test func `the token closure gets the target inside a MultiTarget`() {
        let plugin = AccessTokenPlugin { target in target is Thing ? "inner" : "outer" }
        let prepared = plugin.prepare(
            request, target: MultiTarget(Thing(authorizationType: .bearer)))
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == "Bearer inner")
    }

    @Test func `the token takes the place of one that is there`() {
        var request = request
        request.setValue("Bearer old", forHTTPHeaderField: "authorization")
        let prepared = plugin.prepare(request, target: Thing(authorizationType: .bearer))
        #expect(
            prepared.value(forHTTPHeaderField: "Authorization") == "Bearer eyeAm.AJsOn.weBTOKen")
    }

    @Test(arguments: ["a\r\nInjected: 1", "a\u{0}b"])
    func `a token with a control character in it is never sent`(token: String) async {
        let transport = StubTransport { try .stub(for: $0) }
        let provider = MoyaProvider<Thing>(
            transport: transport, plugins: [AccessTokenPlugin { _ in token }])
        let target = Thing(authorizationType: .bearer)
        do {
            _ = try await provider.request(target)
            // Foundation has dropped the field: the request went without it.
            let sent = transport.requests.first?.urlRequest
            #expect(sent?.value(forHTTPHeaderField: "Authorization") == nil)
        } catch {
            #expect(error.underlyingError is RequestError)
            #expect(transport.requests.isEmpty)
        }
    }

    @Test func `authorization types are equal by what they send`() {
        #expect(AuthorizationType.custom("a") == .custom("a"))
        #expect(AuthorizationType.custom("a") != .custom("b"))
        #expect(AuthorizationType.basic != .bearer)
        #expect(AuthorizationType.basic.value == "Basic")
    }
}

@Suite struct CredentialsPluginTests {
    @Test func `gives the credential for a target`() async throws {
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
