import Foundation
import MoyaCore
import Testing

@Suite struct MoyaErrorDescriptionTests {
    private struct Secretive: Error { let token = "opensesame" }

    private struct User: Codable { var ids: [Int] }

    private func decodingError() throws -> MoyaError {
        try #require(
            #expect(throws: MoyaError.self) {
                try Response(#"{"ids":[1,"opensesame"]}"#).map(User.self)
            })
    }

    @Test func `a printed MoyaError shows no secret`() throws {
        let errors: [MoyaError] = [
            .requestMapping("http://user:opensesame@h.test/a b?token=opensesame#code=opensesame"),
            .encodableMapping(Secretive()), .parameterEncoding(Secretive()),
            .underlying(Secretive(), Response("opensesame")), .jsonMapping(Response("opensesame")),
            .underlying(MoyaError.requestMapping("http://h.test/?token=opensesame"), nil),
            try decodingError(),
        ]
        for error in errors {
            let printed = "\(error) \(String(reflecting: error))"
            #expect(!printed.contains("opensesame"), "\(printed)")
            let result = Result<Response, MoyaError>.failure(error)
            #expect(!"\(result)".contains("opensesame"))
        }
    }

    @Test func `the description of a MoyaError names its case and cause`() throws {
        #expect(
            "\(MoyaError.requestMapping("http://h.test/a b?token=x"))"
                == #"MoyaError.requestMapping("http://h.test/a b?token=***")"#)
        #expect(
            "\(MoyaError.statusCode(Response("body", status: 404)))"
                == "MoyaError.statusCode(Status Code: 404 Not Found, Data Length: 4)")
        #expect(
            "\(MoyaError.underlying(MoyaErrorTests.Cause(), Response("body")))"
                .hasSuffix(": the cause, Status Code: 200 OK, Data Length: 4)"))
        let timeout = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "too late"])
        #expect(
            "\(MoyaError.underlying(timeout, nil))"
                == "MoyaError.underlying(NSURLErrorDomain -1001: too late)")
        #expect("\(try decodingError())".contains("expected Int at ids[1]"))
    }
}

@Suite struct MoyaErrorTests {
    struct Cause: Error, Equatable, LocalizedError {
        var errorDescription: String? { "the cause" }
    }

    struct Expectation: Sendable, CustomTestStringConvertible {
        let error: MoyaError
        let name: String
        let hasResponse: Bool
        let hasCause: Bool
        let text: String
        var testDescription: String { name }
    }

    static let response = Response("body")

    static let all = [
        Expectation(
            error: .imageMapping(response), name: "imageMapping", hasResponse: true,
            hasCause: false,
            text: "Failed to map data to an Image. Response: 200 OK."),
        Expectation(
            error: .jsonMapping(response), name: "jsonMapping", hasResponse: true, hasCause: false,
            text: "Failed to map data to JSON. Response: 200 OK."),
        Expectation(
            error: .stringMapping(response), name: "stringMapping", hasResponse: true,
            hasCause: false,
            text: "Failed to map data to a String. Response: 200 OK."),
        Expectation(
            error: .objectMapping(Cause(), response), name: "objectMapping", hasResponse: true,
            hasCause: true,
            text: "Failed to map data to a Decodable object: the cause. Response: 200 OK."),
        Expectation(
            error: .encodableMapping(Cause()), name: "encodableMapping", hasResponse: false,
            hasCause: true, text: "Failed to encode Encodable object into data: the cause."),
        Expectation(
            error: .statusCode(response), name: "statusCode", hasResponse: true, hasCause: false,
            text: "Status code didn't fall within the given range: 200 OK."),
        Expectation(
            error: .underlying(Cause(), response), name: "underlying", hasResponse: true,
            hasCause: true,
            text: "the cause. Response: 200 OK."),
        Expectation(
            error: .requestMapping("url"), name: "requestMapping", hasResponse: false,
            hasCause: false,
            text:
                "Failed to map Endpoint to a URLRequest. \"url\" is not a valid URL."
        ),
        Expectation(
            error: .parameterEncoding(Cause()), name: "parameterEncoding", hasResponse: false,
            hasCause: true, text: "Failed to encode parameters for URLRequest. the cause"),
    ]

    @Test(arguments: all)
    func `MoyaError.response is the response for the cases with a response, or else nil`(
        _ expected: Expectation
    ) {
        #expect((expected.error.response == nil) == !expected.hasResponse)
        if expected.hasResponse { #expect(expected.error.response === Self.response) }
    }

    @Test(arguments: all)
    func `MoyaError.underlyingError is the cause for the cases with a cause, or else nil`(
        _ expected: Expectation
    ) {
        #expect(expected.error.underlyingError as? Cause == (expected.hasCause ? Cause() : nil))
    }

    @Test(arguments: all)
    func `each case of MoyaError has its error description`(_ expected: Expectation) {
        #expect(expected.error.errorDescription == expected.text)
        #expect(expected.error.localizedDescription == expected.text)
    }

    @Test(arguments: all)
    func `a MoyaError bridged to NSError keeps its description and cause`(_ expected: Expectation) {
        let userInfo = (expected.error as NSError).userInfo
        #expect(userInfo[NSLocalizedDescriptionKey] as? String == expected.text)
        #expect((userInfo[NSUnderlyingErrorKey] as? Cause != nil) == expected.hasCause)
    }

    @Test func `a MoyaError bridged to NSError has the domain and codes of Moya 15`() {
        let errors: [MoyaError] = [
            .imageMapping(Self.response), .jsonMapping(Self.response),
            .stringMapping(Self.response), .objectMapping(Cause(), Self.response),
            .encodableMapping(Cause()), .statusCode(Self.response), .underlying(Cause(), nil),
            .requestMapping(""), .parameterEncoding(Cause()),
        ]
        #expect(errors.map { ($0 as NSError).code } == Array(0...8))
        #expect(Set(errors.map { ($0 as NSError).domain }) == ["Moya.MoyaError"])
    }

    @Test func `an underlying MoyaError may have no response`() {
        #expect(MoyaError.underlying(Cause(), nil).response == nil)
    }

    @Test func `the recovery suggestion for an invalid URL shows no secret`() throws {
        let error = MoyaError.requestMapping("http://user:pass@h/ x?token=abc")
        let suggestion = try #require(error.recoverySuggestion)
        #expect(suggestion.contains("percent-encoded"))
        #expect(!error.localizedDescription.contains("pass@"))
        #expect(!error.localizedDescription.contains("abc"))
    }

    @Test func `the localized description for a dot segment names the segment and the URL`() throws
    {
        let error = MoyaError.requestMapping("http://h.test/users/%2E./repos?token=abc")
        let text =
            "Failed to map Endpoint to a URLRequest. The path of "
            + "\"http://h.test/users/%2E./repos?token=***\" contains the segment \"%2E.\", so "
            + "another resource would be requested."
        #expect(error.localizedDescription == text)
        #expect(try #require(error.recoverySuggestion).contains("Check values"))
    }

    @Test func `the localized description of a decoding error names the place in the JSON`() throws
    {
        struct User: Decodable { var ids: [Int] }
        let error = #expect(throws: MoyaError.self) {
            try Response(#"{"ids":[1,"opensesame"]}"#).map(User.self)
        }
        #expect(
            error?.localizedDescription
                == "Failed to map data to a Decodable object: expected Int at ids[1]. "
                + "Response: 200 OK.")
    }

    private struct User: Decodable {
        enum Role: String, Decodable { case admin }
        var login: String
        var roles: [Role]
    }

    @Test(arguments: [
        (#"{"users":[{"roles":[]}]}"#, #"no value for key "users[0].login""#),
        (
            #"{"users":[{"login":"a","roles":["opensesame"]}]}"#,
            "invalid value at users[0].roles[0]"
        ),
        ("opensesame", "the body is not valid JSON"), ("", "the body is not valid JSON"),
    ]) func `the description of a decoding error distinguishes invalid JSON from invalid values`(
        body: String, reason: String
    ) {
        let error = #expect(throws: MoyaError.self) {
            try Response(body).map([String: [User]].self)
        }
        #expect(
            error?.localizedDescription
                == "Failed to map data to a Decodable object: \(reason). Response: 200 OK.")
    }

    @Test func `the localized description of an encoding error names the type and the place`() {
        func text(_ value: some Encodable) -> String? {
            let error = #expect(throws: (any Error).self) { try JSONEncoder().encode(value) }
            return error.map { MoyaError.encodableMapping($0).localizedDescription }
        }
        let start = "Failed to encode Encodable object into data: "
        let prices = ["prices": [1, Double.nan]]
        #expect(text(prices) == start + "the Double at prices[1] is not finite.")
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "opensesame")
                throw EncodingError.invalidValue("opensesame", context)
            }
        }
        #expect(text(["user": Broken()]) == start + "cannot encode String at user.")
    }

    @Test func `a localized description shows no secret of a cause`() {
        enum Failure: Error { case refused(token: String) }
        let hushed = NSError(
            domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "token=opensesame"])
        for cause in [Failure.refused(token: "opensesame"), hushed] as [any Error] {
            for error in [
                MoyaError.encodableMapping(cause), .objectMapping(cause, Self.response),
            ] {
                #expect(!error.localizedDescription.contains("opensesame"))
            }
        }
    }
}
