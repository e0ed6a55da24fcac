#if YAML
    import Foundation
    import MoyaCore
    import Testing

    @testable import MoyaStubs

    @Suite struct OpenAPIYAMLTests {
        private func info(_ text: String) throws -> JSONValue? {
            let yaml = "openapi: 3.0.0\ninfo:\n  x: \(text)\n"
            return try OpenAPIDocument(yaml: Data(yaml.utf8)).root["info"]?["x"]
        }

        // YAML 1.2, section 10.3.2: not YAML 1.1, in which `no` is a Boolean and `12:30` a number.
        @Test(
            arguments: [
                ("no", "no"), ("NO", "NO"), ("on", "on"), ("yes", "yes"), ("12:30", "12:30"),
                ("1990-02-30", "1990-02-30"), ("\"7\"", "7"), ("'true'", "true"),
                ("3.0.1", "3.0.1"),
                ("true", true), ("False", false), ("~", .null), ("", .null),
                ("null", .null), ("7", 7), ("-0.5", -0.5), ("1e3", 1000), ("0x1F", 31),
                ("0o17", 15),
                ("+12", 12), (".5", 0.5), ("0xyz", "0xyz"),
                ("[a, 1, {b: c}]", ["a", 1, ["b": "c"]]),
                (".inf", ".inf"), ("e", "e"), ("|\n    two\n    lines", "two\nlines\n"),
                (">-\n    a\n    b", "a b"), ("&a {k: 1}\n  y: *a", ["k": 1]),
            ] as [(String, JSONValue)])
        func `scalars are read as YAML 1.2 says`(text: String, value: JSONValue) throws {
            #expect(try info(text) == value)
        }

        @Test func `the keys of a document are text`() throws {
            let document = try Documents.read("museum-3.0.3.yaml")
            let halls = document.root["paths"]?["/halls"]?["get"]
            #expect(halls?["responses"]?["200"]?["description"] == "A page")
            #expect(halls?["parameters"]?.elements?.count == 2)
            #expect(document.root["info"]?["version"] == "2.10")
            #expect(document.root["info"]?["title"] == "Museum: halls & works")
            let country = document.root["components"]?["schemas"]?["Country"]
            #expect(country?["enum"] == ["DK", "NO", "SE"])
        }

        @Test func `aliases of aliases do not exhaust the memory`() {
            var yaml = "openapi: 3.0.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
            for level in 1...12 {
                let alias = "*a\(level - 1)"
                let all = Array(repeating: alias, count: 10).joined(separator: ", ")
                yaml += "a\(level): &a\(level) [\(all)]\n"
            }
            let error = #expect(throws: OpenAPIDocument.Failure.self) {
                try OpenAPIDocument(yaml: Data(yaml.utf8))
            }
            #expect(error?.description == "The OpenAPI document has more than a million values.")
        }

        @Test(arguments: [
            ("openapi: [", "The OpenAPI document is no YAML: "),
            ("swagger: 2.0", "The document has no \"openapi\""),
            ("openapi: 3.0.0\n? [a]\n: b", "The OpenAPI document has a key that is no text."),
            ("", "The document has no \"openapi\""),
        ])
        func `a document that is not OpenAPI 3 in YAML is refused`(
            text: String, reason: String
        ) throws {
            let error = #expect(throws: OpenAPIDocument.Failure.self) {
                try OpenAPIDocument(yaml: Data(text.utf8))
            }
            #expect(try #require(error).description.hasPrefix(reason))
        }
    }
#endif
