import Foundation
import MoyaCore
import MoyaInternals
@testable import MoyaLayers
@testable import MoyaPlugins
import MoyaTesting
import MoyaTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Secrets under the names that services use, in logs, archives and stored responses.
@Suite struct WrittenSecretsTests {
    private static let address =
        "http://host.test/p;jsessionid=hush?subscription-key=hush&page=2#id_token=hush"
    private static let requestFields = [
        "X-NuGet-ApiKey": "hush", "X-Otp": "hush", "X-Functions-Key": "hush",
        "X-Session-Id": "hush",
        "X-JWT-Assertion": "hush", "X-Original-URL": "/a?sig=hush",
    ]
    private static let responseFields = [
        "Refresh": "5; url=/?token=hush", "Authentication-Info": "nextnonce=hush",
        "X-Auth-Token": "hush",
        "Location": "http://u:hush@h.test/#access_token=hush", "Link": "</?api_key=hush>; rel=next",
    ]
    static let bodies = [
        #"{"user":[{"secretAccessKey":"hush"}],"log":"token=hush"}"#, "a=1&client_assertion=hush",
        "<r><Password>hush</Password><u apiKey='hush'/></r>", "Authorization: Bearer hush\nA: b",
        "--b\r\nContent-Disposition: form-data; name=\"userPin\"\r\n\r\nhush\r\n--b--\r\n",
    ]

    private static func stub(_ body: String) -> StubTransport {
        StubTransport { try .test($0, 200, responseFields, body: body) }
    }

    @Test(arguments: bodies)
    func `an archive with bodies shows no secret`(body: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("session.har")
        var options = HAROptions()
        options.maximumBodySize = 1 << 20
        let recorder = try HARRecorder(to: file, options: options)
        _ = try await Self.stub(body).recording(to: recorder).send(
            .test("POST", Self.address, headers: Self.requestFields, body: .data(Data(body.utf8))))
        try recorder.finish()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("hush"), "\(text)")
        #expect(text.contains("page=2"))
        let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[
            .posixPermissions]
        #expect(permissions as? Int == 0o600)
    }

    @Test
    func `an archive omits a compressed request body and keeps the response body`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.file("session.har")
        var options = HAROptions()
        options.maximumBodySize = 1 << 20
        let recorder = try HARRecorder(to: file, options: options)
        _ = try await Self.stub("seen").recording(to: recorder).send(
            .test("POST", headers: ["Content-Encoding": "gzip"], body: .data(Data("hush".utf8))))
        try recorder.finish()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("hush") && text.contains("seen"))
    }

    @Test(arguments: bodies)
    func `a verbose log shows no secret`(body: String) async throws {
        for options: NetworkLoggerPlugin.Configuration.LogOptions in [
            .verbose, [.formatRequestAscURL, .successResponseBody],
        ] {
            let lines = Locked<[String]>([])
            let plugin = NetworkLoggerPlugin(
                configuration: .init(
                    output: { _, items in lines.withLock { $0 += items } }, logOptions: options))
            var request = URLRequest(url: url(Self.address))
            request.httpMethod = "POST"
            request.allHTTPHeaderFields = Self.requestFields
            request.httpBody = Data(body.utf8)
            plugin.willSend(Sent(request: request), target: Thing())
            let head = HTTPURLResponse(
                url: url(Self.address), statusCode: 200, httpVersion: nil,
                headerFields: Self.responseFields)
            plugin.didReceive(
                .success(Response(statusCode: 200, data: Data(body.utf8), response: head)),
                target: Thing())
            let text = lines.withLock { $0.joined(separator: "\n") }
            #expect(!text.contains("hush"), "\(text)")
            #expect(text.contains("page=2"))
        }
    }

    @Test func `the log of an error shows no secret of the error's description`() {
        let lines = Locked<[String]>([])
        let plugin = NetworkLoggerPlugin(
            configuration: .init(output: { _, items in lines.withLock { $0 += items } }))
        let cause = NSError(
            domain: "d", code: 1,
            userInfo: [NSLocalizedDescriptionKey: "cannot get http://u:hush@h.test/?token=hush"])
        plugin.didReceive(.failure(.underlying(cause, nil)), target: Thing())
        let text = lines.withLock { $0.joined() }
        #expect(text.contains("cannot get http://***@h.test/?token=***"))
    }

    @Test func `a printed or dumped stored response shows no secret`() {
        let stored = StoredResponse(
            statusCode: 200, url: url("http://h.test/?token=hush"), httpVersion: "HTTP/1.1",
            fields: [HeaderField(name: "Set-Cookie", value: "a=hush")], body: Data("hush".utf8),
            requestTime: Date(), responseTime: Date(), selectors: [:])
        var text = "\(stored) \(String(reflecting: stored))"
        dump(stored, to: &text)
        #expect(!text.contains("hush"))
        #expect(text.firstMatch(of: /104\D+117\D+115\D+104/) == nil)
    }

    private struct Sent: RequestType {
        var request: URLRequest?
        var sessionHeaders: [String: String] { [:] }
        func authenticate(
            username: String, password: String, persistence: URLCredential.Persistence
        ) -> Sent {
            self
        }
        func authenticate(with credential: URLCredential) -> Sent { self }
        func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Sent { self }
    }
}
