import Foundation
import MoyaCore
import MoyaStubs
import MoyaTestSupport
import Testing

@Suite struct StubRoutingTests {
    private let transport = StubTransport()

    @Test func `requests are routed by method and path, to the stub added last`() async throws {
        transport.on(.get, "/users/{id}").respond(.text("any"))
        transport.on(.get, "/users/7").respond(.text("seven"))
        transport.on(.post, "/users").respond(.response(201))
        #expect(try await transport.send(.test("GET", "https://a.test/users/1")).text == "any")
        #expect(try await transport.send(.test("GET", "https://a.test/users/7")).text == "seven")
        let created = try await transport.send(.test("POST", "https://a.test/users"))
        #expect(created.head.statusCode == 201)
        #expect(transport.requests.count == 3)
    }

    @Test func `a computed stub receives the path's parameters, the query and the body`()
        async throws
    {
        transport.on(.put, "/users/{id}/files/{path*}").respond { request in
            let body: [String: Int] = try request.json()
            return .text(
                "\(request.parameters["id"] ?? "") \(request.parameters["path"] ?? "") "
                    + "\(request.query("v") ?? "") \(request.header("x-a") ?? "") \(body)")
        }
        let response = try await transport.send(
            .test(
                "PUT", "https://a.test/users/a%20b/files/x/y?v=1", headers: ["X-A": "2"],
                body: .data(Data(#"{"n":3}"#.utf8))))
        #expect(response.text == #"a b x/y 1 2 ["n": 3]"#)
    }

    @Test func `a request without a stub is an error with the nearest stub and how to add one`()
        async throws
    {
        transport.on(.get, "/users/{id}").respond(.response())
        transport.on(.get, "/teams").respond(.response())
        let line = #line - 2
        let error = await #expect(throws: MissingStubError.self) {
            try await transport.send(.test("GET", "https://a.test/team?key=abc"))
        }
        let file = "StubRoutingTests.swift"
        #expect(
            error?.description == """
                No stub matches GET https://a.test/team?key=***.
                Stubbed, in the order in which they are asked:
                  - GET /teams (\(file):\(line + 1))
                  - GET /users/{id} (\(file):\(line))
                The nearest is GET /teams: the path is /team, not /teams.
                Add one: transport.on(.get, "/team").respond(.response(200)).
                """)
        #expect(transport.unexpectedRequests.count == 1)
    }

    @Test(arguments: [12, 13, 14])
    func `a missing stub is an error that lists the twelve stubs added last`(count: Int)
        async throws
    {
        for number in 1...count { transport.on(.get, "/\(number)").respond(.response()) }
        let error = await #expect(throws: MissingStubError.self) {
            try await transport.send(.test("GET", "https://a.test/none"))
        }
        let lines = (error?.description ?? "").components(separatedBy: "\n")
            .filter { $0.hasPrefix("  - ") }
        let rest = count - 12
        #expect(lines.first?.hasPrefix("  - GET /\(count) (") == true)
        #expect(lines.count == (rest > 0 ? 13 : 12))
        #expect(lines.last == "  - and \(rest) more" || rest == 0)
    }

    @Test func `a second request for a stub that answers once is an error that names the stub`()
        async throws
    {
        transport.on(.get, "/a").respond(.response(), repeating: .never)
        let line = #line - 1
        let request = TransportRequest.test("GET", "https://a.test/a")
        _ = try await transport.send(request)
        let error = await #expect(throws: MissingStubError.self) {
            try await transport.send(request)
        }
        let place = "StubRoutingTests.swift:\(line)"
        #expect(
            error?.description == """
                No stub is left for GET https://a.test/a: GET /a (\(place)) was for 1 request, \
                and this is one more.
                Stubbed, in the order in which they are asked:
                  - GET /a (\(place)), used up
                Add one: transport.on(.get, "/a").respond(.response(200)).
                """)
    }

    @Test func `stubs take precedence over the handler`() async throws {
        let transport = StubTransport { request in try .stub(status: 299, for: request) }
        transport.on(.get, "/a").respond(.response(204))
        #expect(try await transport.send(.test("GET", "https://a.test/a")).head.statusCode == 204)
        #expect(try await transport.send(.test("GET", "https://a.test/b")).head.statusCode == 299)
        #expect(transport.unexpectedRequests.isEmpty)
    }

    @Test func `a stub transport expects requests by method and path and verifies its stubs`()
        async throws
    {
        let issues = Issues()
        let transport = StubTransport(reporter: issues.reporter)
        transport.on(.get, "/users/{id}").respond(.response())
        _ = try await transport.send(.test("GET", "https://a.test/users/7"))
        let found = transport.expectRequest(.get, "/users/{id}", times: 1)
        #expect(found.map(\.parameters) == [["id": "7"]])
        transport.verify()
        #expect(issues.messages.isEmpty)
        transport.expectRequest(.delete, "/users/{id}")
        #expect(issues.messages.count == 1)
        transport.reset()
        #expect(transport.requests.isEmpty)
        #expect(transport.unusedStubs.isEmpty)
    }

    @Test func `a stub transport runs the provider's plugins and validation`() async throws {
        transport.on(.path("/buy") && .jsonBody(["id": 7])).respond(.response(503), .text("sold"))
        let provider = MoyaProvider<Shop>(transport: transport)
        await #expect(throws: MoyaError.self) { try await provider.request(.buy) }
        #expect(try await provider.request(.buy).mapString() == "sold")
    }
}
