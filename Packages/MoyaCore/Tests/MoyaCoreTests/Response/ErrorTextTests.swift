import Foundation
import MoyaCore
import MoyaTestSupport
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The texts of errors: the response, and causes that are not errors of this library.
@Suite(.timeLimit(.minutes(3))) struct ErrorTextTests {
    /// A transport whose responses are problem details (RFC 9457, section 3).
    private static func refusing(
        _ title: String = #""You do not have enough credit.""#, status: Int = 403,
        type: String = "application/problem+json"
    ) -> some Transport {
        StubTransport { request in
            try .stub(
                status: status, headers: [HeaderField(name: "Content-Type", value: type)],
                data: Data("{\"title\":\(title)}".utf8), for: request)
        }
    }

    private let target = AnyTarget(
        path: "/path", method: .post,
        task: .requestParameters(
            parameters: ["page": "2", "access_token": "opensesame"],
            encoding: URLEncoding.queryString), validationType: .successCodes)

    /// Status code and reason phrase: RFC 9110, section 15.5.4.
    private let refusal =
        "Status code didn't fall within the given range: 403 Forbidden for POST "
        + "http://host.test/path?access_token=***&page=2."

    private func error(
        over transport: some Transport, _ target: AnyTarget? = nil
    ) async -> MoyaError? {
        let provider = MoyaProvider<AnyTarget>(transport: transport)
        return await #expect(throws: MoyaError.self) {
            _ = try await provider.request(target ?? self.target)
        }
    }

    @Test func `the text of a refused status names status, reason, method, URL and problem title`()
        async throws
    {
        let transport = Self.refusing()
        let expected = refusal + " Problem: You do not have enough credit."
        let awaited = await error(over: transport)
        #expect(awaited?.localizedDescription == expected)
        #expect((awaited.map { $0 as NSError })?.localizedDescription == expected)

        let provider = MoyaProvider<AnyTarget>(transport: transport)
        let completed = try await withCallback { continuation in
            provider.request(target, callbackQueue: .global()) {
                continuation.resume(returning: $0)
            }
        }
        let streamed = await #expect(throws: MoyaError.self) {
            _ = try await provider.stream(target)
        }
        #expect(streamed?.localizedDescription == expected)
        guard case .failure(let failure) = completed else {
            Issue.record("\(completed)")
            return
        }
        #expect(failure.localizedDescription == expected)

        var accepting = target
        accepting.validationType = .none
        let response = try await provider.request(accepting)
        let filtered = #expect(throws: MoyaError.self) {
            try response.filterSuccessfulStatusCodes()
        }
        #expect(filtered?.localizedDescription == expected)
    }

    @Test func `the description of a refused status has its response once, and the problem title`()
        async throws
    {
        let error = try #require(await error(over: Self.refusing()))
        #expect(
            "\(error)" == "MoyaError.underlying(MoyaError.statusCode(Status Code: 403 Forbidden "
                + "for POST http://host.test/path?access_token=***&page=2, Data Length: 42, "
                + "Problem: You do not have enough credit.))")
    }

    /// RFC 9457, section 3: the media type is application/problem+json.
    @Test func `the text of a refused status quotes no body of another content type`() async {
        let error = await error(over: Self.refusing(type: "application/json"))
        #expect(error?.localizedDescription == refusal)
    }

    @Test func `the title of a problem is masked, cut off and shown without control characters`()
        async throws
    {
        let title = #""a\u001b[31m token=opensesame \#(String(repeating: "b", count: 5000))""#
        let error = try #require(await error(over: Self.refusing(title)))
        let shown = try #require(
            error.localizedDescription.components(separatedBy: "Problem: ").last)
        #expect(shown.hasPrefix("a[31m token=*** bbb"))
        #expect(shown.unicodeScalars.count == 200)
    }

    @Test func `a status without a reason phrase is named by its number`() async {
        let error = await error(
            over: Self.refusing(status: 599, type: "text/plain"),
            AnyTarget(validationType: .successCodes))
        #expect(
            error?.localizedDescription
                == "Status code didn't fall within the given range: 599 for GET "
                + "http://host.test/path.")
    }

    @Test func `the text of a mapping error names its response`() async throws {
        let provider = MoyaProvider<AnyTarget>(
            transport: StubTransport {
                try .stub(status: 502, data: Data("<p>Bad Gateway</p>".utf8), for: $0)
            })
        let response = try await provider.request(AnyTarget())
        let note = " Response: 502 Bad Gateway for GET http://host.test/path."
        let json = #expect(throws: MoyaError.self) { try response.mapJSON() }
        #expect(json?.localizedDescription == "Failed to map data to JSON." + note)
        let object = #expect(throws: MoyaError.self) { try response.map([Int].self) }
        #expect(
            object?.localizedDescription
                == "Failed to map data to a Decodable object: the body is not valid JSON." + note)
    }

    @Test func `the text of an error names the URL that responded to a redirected request`() {
        let request = URLRequest(url: url("http://host.test/old#part"))
        func text(_ final: String) -> String {
            let response = HTTPURLResponse(
                url: url(final), statusCode: 404, httpVersion: nil, headerFields: nil)
            return MoyaError.statusCode(
                Response(statusCode: 404, data: Data(), request: request, response: response)
            ).localizedDescription
        }
        #expect(
            text("http://host.test/new?token=opensesame").hasSuffix(
                ": 404 Not Found for GET http://host.test/old, response from "
                    + "http://host.test/new?token=***."))
        #expect(
            text("http://host.test/old").hasSuffix(": 404 Not Found for GET http://host.test/old."))
    }
}

// Causes.
extension ErrorTextTests {
    private struct DiskError: Error {
        let reason = "disk is full"
        let token = "opensesame"
    }

    private struct Described: Error, CustomStringConvertible {
        let description = "no space, password=opensesame"
    }

    private struct Wordless: LocalizedError { let reason = "disk is full" }

    private enum Failure: Error, CustomStringConvertible {
        case full(token: String)
        var description: String { "the disk is full" }
    }

    @Test(
        arguments: [
            (DiskError(), #"DiskError(reason: "disk is full", token: "***")"#),
            (Described(), "no space, password=***"),
            (Wordless(), #"Wordless(reason: "disk is full")"#),
            (Failure.full(token: "opensesame"), "the disk is full"),
            (CancellationError(), "CancellationError()"),
            (NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "hm"]), "hm"),
        ] as [(any Error, String)])
    func `the text of an app's error is its description with secrets masked`(
        cause: any Error, text: String
    ) {
        #expect(MoyaError.underlying(cause, nil).localizedDescription == text)
        #expect("\(MoyaError.underlying(cause, nil))".contains(text))
        #expect(
            MoyaError.encodableMapping(cause).localizedDescription
                == "Failed to encode Encodable object into data: \(text).")
    }

    @Test func `the text of a URLError without a description is the meaning of its code`() {
        let codes: [URLError.Code] = [
            .cancelled, .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost,
            .notConnectedToInternet, .secureConnectionFailed, .serverCertificateUntrusted,
            .badServerResponse, .badURL, .httpTooManyRedirects, .dataLengthExceedsMaximum,
        ]
        let texts = codes.map { MoyaError.underlying(URLError($0), nil).localizedDescription }
        #expect(texts.prefix(2) == ["The request was cancelled.", "The request timed out."])
        #expect(Set(texts).count == codes.count)
        #expect(!texts.contains { $0.contains("could not be completed") })
    }

    @Test func `the text of a URLError names the URL of the request once, with secrets masked`() {
        let address = url("http://host.test/path?token=opensesame")
        func text(_ message: String) -> String {
            let error = URLError(
                .timedOut,
                userInfo: [
                    NSLocalizedDescriptionKey: message, NSURLErrorFailingURLErrorKey: address,
                ])
            return MoyaError.underlying(error, nil).localizedDescription
        }
        #expect(text("too late") == "too late. URL: http://host.test/path?token=***.")
        #expect(
            text("http://host.test/path?token=*** is too late.")
                == "http://host.test/path?token=*** is too late.")
    }
}
