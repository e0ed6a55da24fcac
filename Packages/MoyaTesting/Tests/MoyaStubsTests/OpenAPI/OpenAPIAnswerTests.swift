import Foundation
import MoyaCore
import MoyaMockServer
import MoyaTestSupport
import Testing

@testable import MoyaStubs

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Mock servers and stubs that answer as a document describes.
@Suite(.timeLimit(.minutes(5))) struct OpenAPIAnswerTests {
    @Test(arguments: Documents.names)
    func `a server answers each operation of a document with a valid example`(
        name: String
    ) async throws {
        let document = try Documents.read(name)
        let server = try MockServer(answering: document)
        defer { server.stop() }
        let base = "http://127.0.0.1:\(server.port)"
        let transport = Carrier.allCases[0].transport
        #expect(document.operations.count > 30)
        for operation in document.operations {
            let request = try document.request(for: operation, at: base)
            #expect(document.problems(with: request) == [], "\(operation)")
            let response = try await transport.send(request)
            let url = try #require(request.urlRequest.url)
            #expect(
                (200..<300).contains(response.head.statusCode), "\(operation): \(response.text)")
            guard case .data(let data) = response.body else { continue }
            let problems = document.problems(
                method: operation.method, url: url, status: response.head.statusCode,
                contentType: response.head.values(for: "Content-Type").first, body: data)
            #expect(problems == [], "\(operation): \(response.text)")
        }
    }

    @Test(arguments: Documents.names)
    func `a server refuses a request without a required part`(name: String) async throws {
        let document = try Documents.read(name)
        let transport = StubTransport(answering: document)
        var count = 0
        for operation in document.operations {
            var broken: [(String, TransportRequest)] = []
            for parameter in operation.parameters(in: document.root)
            where parameter.isRequired && parameter.location != "path" {
                broken.append(
                    (
                        "\"\(parameter.name)\"",
                        try document.request(
                            for: operation, at: "http://a.test", omitting: parameter.name)
                    ))
            }
            if operation.requestBody(in: document.root)?["required"] == .bool(true) {
                broken.append(
                    (
                        "no body",
                        try document.request(
                            for: operation, at: "http://a.test", isBodyOmitted: true)
                    ))
            }
            for (place, request) in broken {
                let response = try await transport.send(request)
                #expect(response.head.statusCode == 400, "\(operation)")
                #expect(response.head.value(for: "Content-Type") == "application/problem+json")
                #expect(response.text.contains(place.replacingOccurrences(of: "\"", with: "\\\"")))
                count += 1
            }
        }
        #expect(count > 6)
    }

    private func shop() throws -> OpenAPIDocument { try Documents.read("shop-3.0.0.json") }

    private func send(
        _ method: String, _ target: String, to network: any Transport,
        headers: [String: String] = [:], body: String? = nil
    ) async throws -> TransportResponse {
        var headers = headers
        if body != nil, headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/json"
        }
        return try await network.send(
            .test(
                method, "https://eu.shop.test\(target)", headers: headers,
                body: body.map { RequestBody.data(Data($0.utf8)) } ?? RequestBody.none))
    }

    @Test(
        arguments: [
            (
                "GET", "/v1/products?limit=0", nil,
                "The query parameter \"limit\" is 0, and has to be at least 1."
            ),
            (
                "GET", "/v1/products?limit=few", nil,
                "The query parameter \"limit\" has to be integer, and is string."
            ),
            (
                "GET", "/v1/products?sort=id,name", nil,
                "The query parameter \"sort\"[1] is \"name\", and has to be one of \"id\", \"-id\", \"createdAt\"."
            ),
            (
                "GET", "/v1/products/none", nil,
                "The path parameter \"id\" has to be integer, and is string."
            ),
            (
                "POST", "/v1/products",
                #"{"name": "", "price": {"amount": 0, "currency": "EUR"}, "tags": ["a", "a"]}"#,
                "body.name has 0 characters, and at least 1 are needed. body.price.amount is 0, and has to be "
                    + "above 0. body.tags has an element twice."
            ),
            (
                "POST", "/v1/orders",
                #"{"customerId": 1, "lines": [{"productId": 1, "quantity": "2"}]}"#,
                "body.lines[0].quantity has to be integer, and is string."
            ),
            ("POST", "/v1/orders", "{", "The body is no JSON."),
        ] as [(String, String, String?, String)])
    func `a request that the document does not allow is refused with the place`(
        method: String, target: String, body: String?, reason: String
    ) async throws {
        let network = StubTransport(answering: try shop())
        let response = try await send(method, target, to: network, body: body)
        #expect(response.head.statusCode == 400)
        let problem = try JSONDecoder().decode(
            [String: JSONValue].self, from: Data(response.text.utf8))
        #expect(problem["detail"] == .string(reason))
    }

    @Test func `header fields, cookies and media types of requests are checked`() throws {
        let document = try OpenAPIDocument(
            json: Data(
                """
                {"openapi": "3.1.0", "paths": {"/a": {"put": {
                  "parameters": [
                    {"name": "X-Level", "in": "header", "required": true, "schema": {"type": "integer"}},
                    {"name": "Accept", "in": "header", "required": true, "schema": {"type": "integer"}},
                    {"name": "id", "in": "cookie", "schema": {"type": "string", "minLength": 3}},
                    {"name": "filter", "in": "query", "style": "deepObject", "required": true,
                     "schema": {"type": "object"}},
                    {"name": "tags", "in": "query", "schema": {"type": "array", "maxItems": 1}}],
                  "requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {
                    "type": "object", "required": ["n"], "properties": {"n": {"type": "integer"},
                    "t": {"type": "array", "items": {"type": "boolean"}}}}}}},
                  "responses": {"200": {"description": "ok"}}}}}}
                """.utf8))
        func problems(_ headers: [String: String], _ query: String, _ body: String) -> [String] {
            document.problems(
                with: .test(
                    "PUT", "http://a.test/a\(query)", headers: headers,
                    body: .data(Data(body.utf8))))
        }
        let form = ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"]
        #expect(
            problems(
                form.merging(["X-Level": "3", "Cookie": "a=1; id=abc"]) { $1 }, "?tags=a",
                "n=7&t=true&t=false&other=a+b") == [])
        #expect(
            problems(
                form.merging(["Cookie": "id=a"]) { $1 }, "?tags=a&tags=b", "n=x&t=1") == [
                    "The header lacks \"X-Level\", which PUT /a requires.",
                    "The cookie parameter \"id\" has 1 characters, and at least 3 are needed.",
                    "The query parameter \"tags\" has 2 elements, and at most 1 are allowed.",
                    "body.n has to be integer, and is string.",
                    "body.t[0] has to be boolean, and is number.",
                ])
        #expect(
            problems(["X-Level": "1", "Content-Type": "text/plain"], "", "x") == [
                "PUT /a takes application/x-www-form-urlencoded, and not text/plain."
            ])
        #expect(
            problems(["X-Level": "1"], "", "x") == [
                "PUT /a takes application/x-www-form-urlencoded, and not no Content-Type."
            ])
    }

    @Test func `unknown paths and methods have statuses 404 and 405`() async throws {
        let network = StubTransport(answering: try shop())
        #expect(try await send("GET", "/v1/none", to: network).head.statusCode == 404)
        let response = try await send("PATCH", "/v1/products/1", to: network)
        #expect(response.head.statusCode == 405)
        #expect(response.head.value(for: "Allow") == "DELETE, GET, PUT")
    }

    @Test func `examples of the document precede values made from its schemas`() async throws {
        let network = StubTransport(answering: try shop())
        let latest = try await send("GET", "/v1/products/latest", to: network)
        #expect(latest.text.contains("Lamp"))
        let login = try await send(
            "POST", "/v1/login", to: network,
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "user=a&password=b")
        #expect(login.text == #"{"expires":3600,"token":"abc"}"#)
    }

    @Test func `read-only members are required of responses, and write-only ones of requests`()
        async throws
    {
        let network = StubTransport(answering: try shop())
        let body = #"{"email": "a@b.test", "address": {"street": "abc", "country": "NO"}}"#
        let response = try await send("POST", "/v1/customers", to: network, body: body)
        #expect(response.head.statusCode == 201)
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(response.text.utf8))
        #expect(value["id"] == 1)
        #expect(value["password"] == nil)
    }

    @Test func `a stub has the example of an operation and status`() async throws {
        let document = try shop()
        let network = StubTransport()
        network.on(.any).respond(
            try Stub(operation: "getProduct", in: document, status: 404),
            try Stub(operation: "DELETE /products/{id}", in: document))
        let missing = try await send("GET", "/v1/products/1", to: network)
        #expect(missing.head.statusCode == 404)
        #expect(missing.head.value(for: "Content-Type") == "application/json")
        #expect(missing.text.contains("\"code\":1"))
        let deleted = try await send("DELETE", "/v1/products/1", to: network)
        #expect(deleted.head.statusCode == 204)
        #expect(deleted.text == "")
    }

    @Test(
        arguments: [
            (
                "getProdukt", nil,
                "The document has no operation \"getProdukt\". Nearest: \"getProduct\"."
            ),
            ("getProduct", 302, "GET /products/{id} has no response with status 302."),
        ] as [(String, Int?, String)])
    func `a stub of an undocumented operation or status is refused`(
        operation: String, status: Int?, reason: String
    ) throws {
        let document = try shop()
        let error = #expect(throws: OpenAPIDocument.Failure.self) {
            try Stub(operation: operation, in: document, status: status)
        }
        #expect(error?.description == reason)
    }

    private static let oneself = ##"{"$ref": "#/components/schemas/A"}"##

    @Test(
        arguments: [
            ("{\"oneOf\": [\(oneself), \(oneself)]}", nil),
            ("{\"allOf\": [\(oneself), {\"type\": \"string\"}]}", nil),
            (
                "{\"type\": \"object\", \"required\": [\"a\"], \"properties\": {\"a\": \(oneself)}}",
                nil
            ),
            ("{\"type\": \"object\", \"properties\": {\"a\": \(oneself)}}", "{}"),
            ("{\"type\": \"array\", \"items\": \(oneself)}", "[]"),
            (#"{"type": "string", "minLength": 1e300, "maxItems": -1e300}"#, nil),
            (#"{"enum": []}"#, nil), ("false", nil), ("true", "{}"), ("{}", "{}"),
        ] as [(String, String?)])
    func `a schema without an example, or with an endless one, ends in an answer`(
        schema: String, example: String?
    ) throws {
        let document = try OpenAPIDocument(
            json: Data(
                (#"{"openapi": "3.1.0", "components": {"schemas": {"A": \#(schema)}}, "paths": {"/": {"get": "#
                    + #"{"operationId": "get", "responses": {"200": {"content": {"application/json": "#
                    + ##"{"schema": {"$ref": "#/components/schemas/A"}}}}}}}}}"##).utf8))
        let response = try document.response(to: .test("GET", "http://a.test/"))
        #expect(response.head.statusCode == (example == nil ? 500 : 200))
        if let example { #expect(response.text == example) }
    }
}
