import Foundation
import MoyaCore
import MoyaTesting
import Testing

@Suite struct OpenAPITests {
    private static let forum = ##"""
        {"openapi": "3.0.3", "servers": [{"url": "https://forum.test/v1"}],
         "paths": {
          "/posts": {
            "get": {
              "parameters": [{"$ref": "#/components/parameters/Q"}],
              "responses": {
                "200": {"content": {"application/json": {"schema": {
                  "type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Post"}}}}},
                "4XX": {"content": {"text/plain": {}}}}},
            "delete": {"responses": {"204": {"description": "gone"}}}},
          "/posts/{id}": {"get": {"responses": {"default": {"content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/Post"}}}}}}},
          "/posts/latest": {"get": {"responses": {"200": {"content": {"application/json": {
            "schema": {"type": "string"}}}}}}}},
         "components": {
          "parameters": {"Q": {"name": "q", "in": "query", "required": true}},
          "schemas": {"Post": {
            "type": "object", "required": ["id", "title"], "additionalProperties": false,
            "properties": {
              "id": {"type": "integer", "minimum": 1},
              "title": {"type": "string", "maxLength": 10, "pattern": "^[A-Z]"},
              "state": {"enum": ["draft", "public"]},
              "note": {"type": "string", "nullable": true},
              "parent": {"$ref": "#/components/schemas/Post"}}}}}}
        """##

    private func document(_ json: String = forum) throws -> OpenAPIDocument {
        try OpenAPIDocument(json: Data(json.utf8))
    }

    private func problems(
        _ path: String, _ body: String, method: String = "GET", status: Int = 200
    ) throws -> [String] {
        let url = try #require(URL(string: "https://forum.test\(path)"))
        return try document().problems(
            method: method, url: url, status: status, body: Data(body.utf8))
    }

    @Test(arguments: [
        ("/v1/posts/7", #"{"id": 7, "title": "Hello", "note": null, "state": "draft"}"#),
        ("/posts/7", #"{"id": 7, "title": "Hello", "parent": {"id": 1, "title": "A"}}"#),
        ("/v1/posts?q=a", #"[{"id": 7, "title": "Hello"}]"#),
        ("/v1/posts/latest", #""a text""#),
    ])
    func `a response that matches the OpenAPI document has no problems`(path: String, body: String)
        throws
    {
        #expect(try problems(path, body) == [])
    }

    @Test(
        arguments: [
            (
                "/v1/posts/7", #"{"id": "7"}"#,
                ["title is missing.", "id has to be integer, and is string."]
            ),
            (
                "/v1/posts/7", #"{"id": 0.5, "title": "A"}"#,
                ["id has to be integer, and is number."]
            ),
            ("/v1/posts/7", #"{"id": 0, "title": "A"}"#, ["id is 0, and has to be at least 1."]),
            (
                "/v1/posts/7", #"{"id": 1, "title": "Far too long"}"#,
                ["title has 12 characters, and at most 10 are allowed."]
            ),
            ("/v1/posts/7", #"{"id": 1, "title": "A", "x": 1}"#, ["x is not in the schema."]),
            (
                "/v1/posts/7", #"{"id": 1, "title": "A", "state": "odd"}"#,
                [#"state is "odd", and has to be one of "draft", "public"."#]
            ),
            (
                "/v1/posts/7", #"{"id": 1, "title": "A", "parent": {"id": 1}}"#,
                ["parent.title is missing."]
            ),
            ("/v1/posts/7", "", ["The body is empty, and has to be JSON."]),
            ("/v1/posts/7", "{", ["The body is no JSON."]),
            ("/v1/posts?q=a", "[]", ["The body has 0 elements, and at least 1 are needed."]),
            ("/v1/posts?q=a", "[null]", ["[0] has to be object, and is null."]),
            (
                "/v1/posts", #"[{"id": 1, "title": "A"}]"#,
                [#"The query lacks "q", which GET /posts requires."#]
            ),
            ("/v1/users", "", ["The document has no path like /v1/users."]),
        ] as [(String, String, [String])])
    func `a response that contradicts the OpenAPI document is reported`(
        path: String, body: String, reasons: [String]
    ) throws {
        #expect(try problems(path, body) == reasons)
    }

    @Test func `undocumented methods and status codes are reported`() throws {
        #expect(
            try problems("/v1/posts", "", method: "PUT", status: 200)
                == ["The document has DELETE, GET for /v1/posts, and no PUT."])
        #expect(
            try problems("/v1/posts", "", method: "DELETE", status: 200)
                == ["DELETE /posts has no answer with the status 200, but 204."])
        #expect(
            try problems("/v1/posts", "x", method: "DELETE", status: 204)
                == ["DELETE /posts answers 204 without a body, and this one has one."])
        #expect(try problems("/v1/posts", "", method: "DELETE", status: 204) == [])
        #expect(try problems("/v1/posts?q=a", "not JSON", method: "GET", status: 404) == [])
    }

    @Test func `an undocumented media type is reported`() throws {
        let url = try #require(URL(string: "https://forum.test/posts/1"))
        let reasons = try document().problems(
            method: "get", url: url, status: 200, contentType: "text/html; charset=utf-8",
            body: Data("<p>".utf8))
        #expect(
            reasons == [
                "GET /posts/{id} answers 200 with application/json, and not with text/html."
            ])
    }

    @Test(
        arguments: [
            ("application/json", "Application/JSON; charset=utf-8", true),
            ("Application/JSON; charset=utf-8", "application/json", true),
            ("application/*", "application/json", true), ("*/*", "application/json", true),
            ("application/json-patch+json", "application/json", false),
            ("application/json", "application/js", false), ("text/*", "application/json", false),
            ("application/json", "", false), ("application/*", "application", false),
        ])
    func `a media type is documented by its name or by a media range`(
        documented: String, given: String, isKnown: Bool
    ) throws {
        let document = try document(
            #"{"openapi": "3.1.0", "paths": {"/": {"get": {"responses": {"200": {"content": "#
                + #"{"\#(documented)": {}}}}}}}}"#)
        let url = try #require(URL(string: "https://a.test/"))
        let found = document.problems(
            method: "GET", url: url, status: 200, contentType: given, body: Data("{}".utf8))
        let type = given.isEmpty ? "an empty media type" : given
        #expect(
            found
                == (isKnown ? [] : ["GET / answers 200 with \(documented), and not with \(type)."]))
    }

    @Test(
        arguments: [
            (
                ##"{"A": {"allOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/A"}]}}"##,
                ["The body has a schema that refers to itself: #/components/schemas/A."]
            ),
            (
                ##"{"A": {"oneOf": [{"$ref": "#/components/schemas/B"}, {"$ref": "#/components/schemas/B"}]},"##
                    + ##" "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"type": "string"}]}}"##,
                [
                    "The body fits none of 2 alternatives. Nearest: The body has a schema that refers to "
                        + "itself: #/components/schemas/A."
                ]
            ),
            (
                ##"{"A": {"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "object"}]}}"##, []
            ),
            (
                ##"{"A": {"properties": {"a": {"$ref": "#/components/schemas/A"}, "b": {"type": "null"}}}}"##,
                ["a.b has to be null, and is number."]
            ),
        ] as [(String, [String])])
    func `a recursive schema is validated without looping`(schemas: String, reasons: [String])
        throws
    {
        #expect(try problems(with: #"{"a": {"b": 1}}"#, in: schemas) == reasons)
    }

    @Test func `a schema with many references is compared once for each place`() throws {
        let schemas = (0..<60).map { number in
            let next = ##"{"$ref": "#/components/schemas/A\##(number + 1)"}"##
            return #""A\#(number == 0 ? "" : "\(number)")": {"allOf": [\#(next), \#(next)]}"#
        }
        let last = #""A60": {"properties": {"b": {"type": "null"}}}"#
        let all = "{" + (schemas + [last]).joined(separator: ", ") + "}"
        #expect(try problems(with: #"{"b": 1}"#, in: all) == ["b has to be null, and is number."])
        // The same schema with another value.
        #expect(try problems(with: #"{"b": null}"#, in: all) == [])
    }

    /// Returns the problems of `body` in a document whose response has the schema `A` of `schemas`.
    private func problems(with body: String, in schemas: String) throws -> [String] {
        let document = try document(
            #"{"openapi": "3.1.0", "paths": {"/": {"get": {"responses": {"200": {"content": "#
                + ##"{"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}}}, "##
                + #""components": {"schemas": \#(schemas)}}"#)
        let url = try #require(URL(string: "https://a.test/"))
        return document.problems(method: "GET", url: url, status: 200, body: Data(body.utf8))
    }

    @Test(arguments: [
        (
            #"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#, "true",
            "The body fits none of 2 alternatives. Nearest: The body has to be string, and is boolean."
        ),
        (
            #"{"oneOf": [{"minimum": 1}, {"maximum": 9}]}"#, "5",
            "The body fits 2 alternatives, and has to fit one."
        ),
        (
            #"{"anyOf": [{"type": "string"}]}"#, "1",
            "The body fits none of 1 alternatives. Nearest: The body has to be string, and is number."
        ),
        (#"{"allOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, #"{"a": 1}"#, "b is missing."),
        (#"{"not": {"type": "null"}}"#, "null", "The body fits what is forbidden by \"not\"."),
        (#"{"const": 1}"#, "2", "The body is 2, and has to be 1."),
        (
            #"{"type": ["string", "null"]}"#, "1",
            "The body has to be string or null, and is number."
        ),
        (
            #"{"minimum": 1, "exclusiveMinimum": true}"#, "1",
            "The body is 1, and has to be above 1."
        ),
        (#"{"exclusiveMaximum": 3}"#, "3", "The body is 3, and has to be below 3."),
        (#"{"multipleOf": 0.1}"#, "0.25", "The body is 0.25, and has to be a multiple of 0.1."),
        (#"{"uniqueItems": true}"#, "[1, 2, 1]", "The body has an element twice."),
        (
            #"{"additionalProperties": {"type": "string"}}"#, #"{"a": 1}"#,
            "a has to be string, and is number."
        ),
        (#"{"minProperties": 1}"#, "{}", "The body has 0 members, and at least 1 are needed."),
        (
            #"{"$ref": "other.json#/A"}"#, "1",
            "The body has a schema that is not in the document: other.json#/A."
        ),
        (
            ##"{"$ref": "#/components/schemas/Loop"}"##, "1",
            "The body has a schema that is not in the document: #/components/schemas/Loop."
        ),
    ])
    func `every supported schema keyword is validated`(schema: String, body: String, reason: String)
        throws
    {
        let document = try document(
            #"{"openapi": "3.1.0", "paths": {"/": {"get": {"responses": {"200": {"content": "#
                + #"{"application/json": {"schema": \#(schema)}}}}}}}, "components": {"schemas": "#
                + ##"{"Loop": {"$ref": "#/components/schemas/Loop"}}}}"##)
        let url = try #require(URL(string: "https://a.test/"))
        let found = document.problems(
            method: "GET", url: url, status: 200, body: Data(body.utf8))
        #expect(found == [reason])
    }

    @Test func `unsupported schema keywords are listed as unchecked`() throws {
        #expect(try document().unchecked == ["pattern"])
    }

    @Test(arguments: [
        ("openapi: 3.0.0", "The OpenAPI document is no JSON. For YAML, use init(yaml:)."),
        (#"{"swagger": "2.0"}"#, "The document has no \"openapi\" that begins with \"3.\"."),
    ])
    func `a document that is not OpenAPI 3 is refused`(text: String, reason: String) {
        let error = #expect(throws: OpenAPIDocument.Failure.self) { try document(text) }
        #expect(error?.description == reason)
    }

    @Test func `a catalog compares its samples with the OpenAPI document`() throws {
        let catalog = TargetCatalog<Forum> {
            Forum.posts
            Forum.search("a")
            Forum.post(1)
        }
        let report = catalog.check(against: try document())
        #expect(
            report.reasons(.contract) == [
                #"The query lacks "q", which GET /posts requires."#,
                "id has to be integer, and is string.",
            ])
        #expect(report.rows.map { $0.outcome(of: .contract) } == [.failed, .passed, .failed])
    }
}
