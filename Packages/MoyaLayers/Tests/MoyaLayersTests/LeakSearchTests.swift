import Foundation
import MoyaCore
import MoyaLayers
import MoyaPlugins
import MoyaMockServer
import MoyaTestSupport
import MoyaTransportCurl
import MoyaTransportFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if Logging
    import Logging
#endif
#if Tracing
    import InMemoryTracing
    import Tracing
#endif

/// Sends secrets in every part of requests and responses, and searches for them in all written
/// output.
@Suite struct LeakSearchTests {
    private enum Vault: TargetType {
        case open(at: URL, password: String)
        case form(at: URL)
        case multipart(at: URL)

        var baseURL: URL {
            switch self {
            case .open(let url, _), .form(let url), .multipart(let url): url
            }
        }
        var path: String { "" }
        var method: Moya.Method { .post }
        var validationType: ValidationType { .successCodes }
        var headers: [String: String]? {
            [
                "Authorization": "Bearer s3cret-authorization", "Cookie": "session=s3cret-cookie",
                "Proxy-Authorization": "Basic s3cret-proxy", "X-Api-Key": "s3cret-header",
                "Referer": "http://a.test/?token=s3cret-referer",
            ]
        }

        var task: RequestTask {
            switch self {
            case .open(_, let password):
                .requestCompositeParameters(
                    bodyParameters: [
                        "password": password, "more": ["client_secret": "s3cret-nested"],
                    ], bodyEncoding: JSONEncoding.default,
                    urlParameters: ["access_token": "s3cret-query"])
            case .form:
                .requestParameters(
                    parameters: ["password": "s3cret-form"], encoding: URLEncoding.httpBody)
            case .multipart:
                .requestData(
                    Data(
                        ("--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n"
                            + "s3cret-part\r\n--b--\r\n").utf8))
            }
        }
    }

    private static func answer(_ request: MockRequest) -> MockResponse {
        switch request.path {
        case "/refused": MockResponse(status: 403, body: .data(Data(body.utf8)))
        case "/loop": .redirect(to: "/loop?token=s3cret-location")
        case "/cut": MockResponse(body: .data(Data(body.utf8))).truncated(after: 3)
        default:
            MockResponse(
                headers: [
                    HeaderField(name: "Set-Cookie", value: "id=s3cret-setcookie"),
                    HeaderField(name: "Content-Type", value: "application/json"),
                    HeaderField(name: "Location", value: "/x?code=s3cret-next"),
                ], body: .data(Data(body.utf8)))
        }
    }

    private static let body = #"{"refresh_token": "s3cret-response", "name": "Ash"}"#

    @Test(arguments: Carrier.allCases)
    func `logs, archives, errors, spans and curl commands show no secret`(kind: Carrier)
        async throws
    {
        let server = try MockServer(handler: Self.answer)
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = folder.file("leak.har")
        let written = Recorder<String>()
        let recorder = try HARRecorder(to: file, options: .withBodies)
        var transport: any Transport = kind.transport.recording(to: recorder)
        #if Logging
            transport = transport.logging(
                to: Logger(label: "leak") { _ in LineLogHandler(lines: written) })
        #endif
        transport = transport.observing { written.record(Self.describe($0)) }
            .retrying(RetryPolicy(maximumRetries: 1, backoff: Backoff(base: 0)))
        #if Tracing
            let tracer = InMemoryTracer()
            transport = transport.tracing(with: tracer)
        #endif
        let options: [NetworkLoggerPlugin.Configuration.LogOptions] = [
            .verbose, [.formatRequestAscURL, .successResponseBody, .errorResponseBody],
        ]
        let provider = MoyaProvider<Vault>(
            transport: transport,
            plugins: options.map { options in
                NetworkLoggerPlugin(
                    configuration: .init(
                        output: { _, items in items.forEach(written.record) }, logOptions: options))
            } + [CredentialsPlugin { _ in .secret }])

        let port = server.port
        for address in [
            "http://ash:s3cret-user@127.0.0.1:\(port)/?api_key=s3cret-base#token=s3cret-fragment",
            "http://127.0.0.1:\(port)/refused", "http://127.0.0.1:\(port)/loop",
            "http://127.0.0.1:\(port)/cut", "http://ash:s3cret-user@127.0.0.1:1/",
            "http://ash:s3cret-user@no-such-host.invalid/",
        ] {
            for target in [
                Vault.open(at: url(address), password: "s3cret-body"), .form(at: url(address)),
                .multipart(at: url(address)),
            ] {
                do {
                    let response = try await provider.request(target)
                    written.record("\(response) \(response.debugDescription)")
                } catch {
                    written.record(Self.describe(error))
                }
            }
        }
        try recorder.finish()
        written.record(try String(contentsOf: file, encoding: .utf8))

        #if Tracing
            #expect(!tracer.finishedSpans.isEmpty)
            for span in tracer.finishedSpans {
                span.attributes.forEach { written.record("\($0): \($1)") }
                for recorded in span.errors { written.record(Self.describe(recorded.error)) }
            }
        #endif

        let all = written.items.joined(separator: "\n")
        let leaks = all.matches(of: /.{0,60}s3cret-\w+/).map { String($0.output) }
        #expect(leaks.isEmpty)
        // Checks that the output is not empty: names and public values are in it.
        for shown in ["access_token", "password", "Ash", "***", "curl", "Authorization", "/loop"] {
            #expect(all.contains(shown), "\(shown)")
        }
    }

    private static func describe(_ error: any Error) -> String {
        let bridged = error as NSError
        let causes =
            [
                (error as? MoyaError)?.underlyingError, (error as? MoyaError)?.response,
            ] as [Any?]
        return "\(error) \(error.localizedDescription) \(bridged) \(bridged.userInfo) \(causes)"
    }

    private static func describe(_ event: ExchangeEvent) -> String {
        guard case .ended(_, .failure(let error), _) = event else { return "" }
        return describe(error)
    }
}

extension URLCredential {
    fileprivate static let secret = URLCredential(
        user: "ash", password: "s3cret-credential", persistence: .none)
}

extension HAROptions {
    fileprivate static var withBodies: HAROptions {
        var options = HAROptions()
        options.maximumBodySize = 1 << 20
        return options
    }
}
