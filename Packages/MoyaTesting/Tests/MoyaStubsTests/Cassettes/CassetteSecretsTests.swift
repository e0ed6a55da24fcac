import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

/// Masking of secrets in cassette files.
@Suite struct CassetteSecretsTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("shop.har")
    }

    private var permissions: Int? {
        get throws {
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        }
    }

    @Test func `a cassette file is accessible to its owner alone, new or replaced`() async throws {
        let network = StubTransport(.response(200, data: Data("a".utf8)))
        _ = try await network.cassette(at: file).send(.test("GET", "https://shop.test/a"))
        #expect(try permissions == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        _ = try await network.cassette(at: file, mode: .newEpisodes)
            .send(.test("GET", "https://shop.test/b"))
        #expect(try permissions == 0o600)
        #expect(folder.names == ["shop.har"])
    }

    static let bodies = [
        ("application/json", #"{"deep":[{"clientSecret":"hush"}],"note":"token=hush"}"#),
        ("application/x-www-form-urlencoded", "grant=a&client_assertion=hush"),
        ("text/xml", "<login><Password>hush</Password></login>"),
        ("text/plain", "sent Bearer hush"),
        ("", "password=hush"), ("text/event-stream", "data: {\"token\":\"hush\"}\n\n"),
        (
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"apiKey\"\r\n\r\nhush\r\n--b--\r\n"
        ),
    ]

    @Test(arguments: bodies)
    func `a secret in a body is masked in the cassette, and the body still matches`(
        type: String, body: String
    ) async throws {
        let network = StubTransport(
            .response(200, headers: ["Content-Type": type], data: Data(body.utf8)))
        func request(_ secret: String) -> TransportRequest {
            let text = body.replacingOccurrences(of: "hush", with: secret)
            return .test(
                "POST", "https://shop.test/;sid=\(secret)?x=1#id_token=\(secret)",
                headers: ["Content-Type": type, "X-NuGet-ApiKey": secret],
                body: .data(Data(text.utf8)))
        }
        var options = CassetteTransport.Options()
        options.matchers = [.method, .url, .body, .header("X-NuGet-ApiKey")]
        let answer = try await network.cassette(at: file, options: options).send(request("hush"))
        #expect(answer.text == body)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("hush"))
        let playing = try CassetteTransport(at: file, mode: .none, options: options)
        let played = try await playing.send(request("other"))
        #expect(played.text == body.replacingOccurrences(of: "hush", with: "***"))
    }

    @Test func `a played response decodes like the recorded one, with secrets masked`()
        async throws
    {
        struct Issue: Decodable, Equatable {
            struct Session: Decodable, Equatable {
                let id: Int
                let user: String
                let isOpen: Bool
                let tags: [String]
            }
            let code: Int
            let key: String
            let pin: Double
            let session: Session
        }
        let body = """
            {"code":7,"key":"PROJ-1","pin":1.5,"session":{"id":3,"user":"hush","isOpen":true,"tags":["hush"]}}
            """
        let network = StubTransport(.text(body))
        let request = TransportRequest.test("GET", "https://shop.test/a")
        _ = try await network.cassette(at: file).send(request)
        let played = try await CassetteTransport(at: file, mode: .none).send(request)
        let issue = try JSONDecoder().decode(Issue.self, from: Data(played.text.utf8))
        let session = Issue.Session(id: 0, user: "***", isOpen: true, tags: ["***"])
        #expect(issue == Issue(code: 7, key: "***", pin: 0, session: session))
    }

    @Test func `a secret in a response field is not written to the cassette`() async throws {
        let fields = [
            "Set-Cookie": "a=hush", "X-Auth-Token": "hush", "Refresh": "5; url=/?token=hush",
            "Authentication-Info": "nextnonce=hush",
            "Location": "https://u:hush@a.test/#access_token=hush",
            "WWW-Authenticate": "Negotiate aHVzaGh1c2hodXNo", "Link": "</?key=hush>; rel=next",
            "X-Seen": "seen",
        ]
        let network = StubTransport(.response(200, headers: fields, data: Data()))
        _ = try await network.cassette(at: file).send(.test("GET", "https://shop.test/a"))
        let written = try String(contentsOf: file, encoding: .utf8)
        #expect(!written.contains("hush"))
        #expect(!written.contains("aHVzaGh1c2"))
        #expect(written.contains("seen"))
    }
}
