#if Macros
    import Foundation
    @testable import MoyaMacrosPlugin
    import Testing

    /// The generated code. Indentation and empty lines come from the compiler and are not compared.
    @Suite struct ExpansionTests {
        @Test func `an API enum expands to a target type with typed requests`() {
            let expanded = Expanded(
                """
                @API("https://api.github.com/v3", headers: ["Accept": "text/plain"])
                public enum GitHub {
                    @GET("/zen", String.self) case zen
                    @GET("/users/{name}", User.self, example: ["name": "ash"]) case user(name: String)
                }
                """)
            #expect(expanded.errors == [])
            let expected = """
                public enum GitHub {
                case zen
                case user(name: String)
                }
                nonisolated extension GitHub: MoyaMacros.APITarget {
                public var baseURL: URL {
                URL(string: "https://api.github.com/v3") ?? URL(fileURLWithPath: "/")
                }
                public var path: String {
                switch self {
                case .zen:
                "/zen"
                case .user(let name):
                "/users/\\(segment: name)"
                }
                }
                public var method: Moya.Method {
                .get
                }
                public var task: Moya.Task {
                .requestPlain
                }
                public var headers: [String: String]? {
                ["Accept": "text/plain"]
                }
                public var validationType: Moya.ValidationType {
                .successCodes
                }
                public var sampleData: Data {
                Data()
                }
                public static var listedCases: [Moya.ListedCase<GitHub>] {
                var listed: [Moya.ListedCase<GitHub>] = []
                listed.append(MoyaMacros.ResponseValue<String>().listed("zen", example: .zen))
                listed.append(MoyaMacros.ResponseValue<User>().listed("user", example: .user(name: "ash")))
                return listed
                }
                public nonisolated struct Requests: MoyaMacros.APIRequests {
                private let apiSender: MoyaMacros.APISender<GitHub>
                public init(send: MoyaMacros.APISender<GitHub>) {
                apiSender = send
                }
                /// `GET /zen`
                public func zen() async throws -> String {
                try await MoyaMacros.ResponseValue<String>().value(of: apiSender(.zen))
                }
                /// `GET /users/{name}`
                public func user(name: String) async throws -> User {
                try await MoyaMacros.ResponseValue<User>().value(of: apiSender(.user(name: name)))
                }
                /// Returns the decoded pages of a list, which link to their successors.
                public func pages<APIElement: Sendable>(of list: APIList<APIElement>, limit: Int = 1000) -> Moya.PageSequence<APIElement> {
                apiSender.pages(of: list.target, as: list.value, limit: limit)
                }
                /// A request whose response is a page with elements of one type, for `pages(of:)`.
                public nonisolated struct APIList<APIElement: Sendable>: Sendable {
                fileprivate let target: GitHub
                fileprivate let value: MoyaMacros.ResponseValue<APIElement>
                /// `GET /zen`
                public static func zen() -> APIList<String> {
                APIList<String>(target: .zen, value: MoyaMacros.ResponseValue<String>())
                }
                /// `GET /users/{name}`
                public static func user(name: String) -> APIList<User> {
                APIList<User>(target: .user(name: name), value: MoyaMacros.ResponseValue<User>())
                }
                }
                }
                }
                """
            #expect(lines(expanded.text) == lines(expected))
        }

        /// Returns the generated value of a property for the only case of an API, with or without
        /// its `case …:`.
        private func value(
            of property: String, _ source: String, in arguments: String = ""
        ) -> String? {
            let expanded = Expanded("@API(\"https://a.test\"\(arguments)) enum A {\n\(source)\n}")
            #expect(expanded.errors == [])
            let all = lines(expanded.text)
            guard let start = all.firstIndex(where: { $0.hasPrefix("var \(property):") }) else {
                return nil
            }
            return all[(start + 1)...].prefix { $0 != "}" }
                .filter { $0 != "switch self {" }.joined(separator: " ")
        }

        /// Returns the lines without indentation, without empty lines and without the directives
        /// that name lines of the source.
        private func lines(_ text: String) -> [String] {
            text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
                .map(String.init).filter { !$0.isEmpty && !$0.hasPrefix("#sourceLocation") }
        }

        @Test func `the compiler reports errors in the code of a case at the line of the case`() {
            let expanded = Expanded(
                """
                @API("https://a.test") enum A {
                @GET("/zen") case zen
                @GET("/a/{id}", Int.self)
                case user(id: Int)
                @available(*, deprecated) @POST("/b", task: "make") case make(id: Int)
                }
                """)
            let code = expanded.text.split(separator: "\n")
                .map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
            var line: Int?
            var reported: [String: Int] = [:]
            for text in code {
                if text.hasPrefix("#sourceLocation") {
                    line = text.split(separator: " ").last.flatMap { Int($0.dropLast()) }
                } else if let number = line {
                    reported[text] = number
                    line = number + 1
                }
            }
            #expect(reported[#""/a/\(segment: id)""#] == 4)
            #expect(reported["func user(id: Int) async throws -> Int {"] == 4)
            let value = "MoyaMacros.ResponseValue<Int>()"
            #expect(
                reported["try await \(value).value(of: apiSender(.user(id: id)))"] == 4)
            #expect(reported["listed.append(\(value).listed(\"user\", example: nil))"] == 4)
            #expect(reported["func make(id: Int) async throws -> Moya.Response {"] == 5)
            #expect(reported["Self.make(id: id)"] == 5)
            // Code of all cases has no line of a case.
            #expect(reported[".successCodes"] == nil)
            #expect(line == nil)
        }

        @Test func `a placeholder with an ellipsis is several segments of a path`() {
            #expect(
                value(of: "path", #"@GET("/{a}/contents/{b...}") case s(a: Int, b: String)"#)
                    == #"case .s(let a, let b): "/\(segment: a)/contents/\(segments: b)""#)
        }

        @Test func `query items and form parts have the names of the argument names`() {
            let source = #"@GET("/{a}", query: ["X": "{b}"]) case s(a: Int, b: Int, perPage: Int)"#
            #expect(
                value(of: "task", source, in: ", names: .snakeCase")
                    == #"case .s(_, let b, let perPage): .requestQuery(MoyaMacros.QueryFields(["X": b, "per_page": perPage]))"#
            )
            #expect(
                value(of: "task", source, in: #", names: ["perPage": "page[size]"]"#)
                    == #"case .s(_, let b, let perPage): .requestQuery(MoyaMacros.QueryFields(["X": b, "page[size]": perPage]))"#
            )
            #expect(
                value(
                    of: "task", "@Multipart @PUT(\"/s\") case s(longName: Data)",
                    in: ", names: .snakeCase")
                    == #"case .s(let longName): .uploadMultipartFormData(MultipartFormData(parts: [MultipartFormBodyPart(provider: .data(longName), name: "long_name")]))"#
            )
        }

        @Test(arguments: [
            "q", "perPage", "userID", "htmlURLPath", "page2Size", "already_snake", "aB", "isOK",
            "oAuth2Token", "x",
        ])
        func `a name in snake case is that of Foundation's convertToSnakeCase`(name: String) throws
        {
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
            struct Value: Encodable {
                let key: Key
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.container(keyedBy: Key.self)
                    try container.encode(1, forKey: key)
                }
            }
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            let json = try encoder.encode(Value(key: Key(stringValue: name)))
            #expect(
                String(decoding: json, as: UTF8.self) == "{\"\(SentNames.snakeCase(name))\":1}")
        }

        @Test func `the type of the error body is that of the argument failure`() {
            let expanded = Expanded(
                """
                @API("https://a.test", failure: Problem.self) public enum A {
                @GET("/s") case s
                }
                """)
            #expect(expanded.errors == [])
            #expect(lines(expanded.text).contains("public typealias Failure = Problem"))
            let own = Expanded(
                """
                @API("https://a.test", failure: A.Failure.self) enum A {
                @GET("/s") case s
                struct Failure: Decodable {}
                }
                """)
            #expect(!own.text.contains("typealias"))
        }

        @Test func `lists are the safe requests with a response type`() {
            let expanded = Expanded(
                """
                @API("https://a.test") enum A {
                @GET("/a", [Int].self) case a(perPage: Int?)
                @GET("/b") case b
                @POST("/c", [Int].self) case c
                @HEAD("/d", Void.self) case d
                }
                """)
            let functions = lines(expanded.text).filter { $0.hasPrefix("static func") }
            #expect(functions == ["static func a(perPage: Int? = nil) -> APIList<[Int]> {"])
            let none = Expanded("@API(\"https://a.test\") enum A {\n@GET(\"/b\") case b\n}")
            #expect(!none.text.contains("APIList"))
        }

        @Test func `a parameter without another use becomes a query item`() {
            #expect(
                value(of: "task", #"@GET("/s/{a}") case s(a: Int, q: String, page: Int?)"#)
                    == #"case .s(_, let q, let page): .requestQuery(MoyaMacros.QueryFields(["q": q, "page": page]))"#
            )
        }

        @Test func `query items may have other names and fixed text, and an encoder`() {
            #expect(
                value(
                    of: "task",
                    #"@GET("/s", query: ["n": "{size}", "v": "2 \"x\""]) case s(size: Int)"#,
                    in: ", query: URLQueryEncoder(boolEncoding: .literal)")
                    == #"case .s(let size): .requestQuery(MoyaMacros.QueryFields(["n": size, "v": "2 \"x\""]), encoder: URLQueryEncoder(boolEncoding: .literal))"#
            )
        }

        @Test func `header fields of a case replace header fields of the API`() {
            #expect(
                value(
                    of: "headers",
                    #"@GET("/s", headers: ["X-A": "{a}", "X-B": "v{b}"]) case s(a: Int?, b: Int)"#,
                    in: #", headers: ["Accept": "*/*"]"#)
                    == #"case .s(let a, let b): MoyaMacros.HeaderFields(["X-A": a.map { a in "\(field: a)" }, "X-B": "v\(field: b)"]).over(["Accept": "*/*"])"#
            )
            #expect(value(of: "headers", #"@GET("/s") case s"#) == "nil")
        }

        @Test func `a text with an optional parameter is omitted if the parameter is nil`() {
            #expect(
                value(
                    of: "headers", #"@GET("/s", headers: ["A": "Bearer {t}"]) case s(t: String?)"#)
                    == #"case .s(let t): MoyaMacros.HeaderFields(["A": t.map { t in "Bearer \(field: t)" }]).over([:])"#
            )
            let several = Expanded(
                """
                @API("https://a.test") enum A {
                @GET("/s", headers: ["A": "{t}-{u}-{v}"])
                case s(t: Int?, u: Int, v: Optional<Int>)
                }
                """)
            #expect(
                lines(several.text).joined(separator: " ").contains(
                    #"t.flatMap { t in v.map { v in "\(field: t)-\(field: u)-\(field: v)" } }"#))
            #expect(
                value(of: "task", #"@GET("/s", query: ["q": "user:{u}"]) case s(u: String?)"#)
                    == #"case .s(let u): .requestQuery(MoyaMacros.QueryFields(["q": u.map { u in "user:\(field: u)" }]))"#
            )
        }

        @Test func `an optional form part is omitted if nil, with either spelling of its type`() {
            for type in ["Data?", "Optional<Data>"] {
                #expect(
                    value(of: "task", "@Multipart @PUT(\"/s\") case s(d: \(type))")
                        == #"case .s(let d): .uploadMultipartFormData(MultipartFormData(parts: [d.map { MultipartFormBodyPart(provider: .data($0), name: "d") }].compactMap { $0 }))"#
                )
            }
        }

        @Test func `an optional body that is nil sends a request without a body`() {
            #expect(
                value(of: "task", #"@POST("/s", body: "b") case s(b: Patch?, q: Int)"#)
                    == #"case .s(let b, let q): (b.map { Moya.Task.requestEncodable($0) } ?? .requestPlain).addingQuery(MoyaMacros.QueryFields(["q": q]))"#
            )
        }

        @Test func `a request may have both a body and query items`() {
            #expect(
                value(of: "task", #"@POST("/s", body: "item") case s(item: Item, force: Bool)"#)
                    == #"case .s(let item, let force): .requestEncodable(item).addingQuery(MoyaMacros.QueryFields(["force": force]))"#
            )
            #expect(
                value(of: "task", #"@DELETE("/s", body: "item") case s(item: Item)"#)
                    == "case .s(let item): .requestEncodable(item)")
        }

        @Test func `form parts of type URL, Data and other types are files, bytes and text`() {
            #expect(
                value(of: "task", #"@Multipart @PUT("/s") case s(file: URL, bytes: Data, n: Int)"#)
                    == #"case .s(let file, let bytes, let n): .uploadMultipartFormData(MultipartFormData(parts: [MultipartFormBodyPart(provider: .file(file), name: "file"), MultipartFormBodyPart(provider: .data(bytes), name: "bytes"), MultipartFormBodyPart(provider: .data(Data("\(field: n)".utf8)), name: "n")]))"#
            )
        }

        @Test func `form parts whose types are written with a module name are files and bytes`() {
            #expect(
                value(
                    of: "task",
                    #"@Multipart @PUT("/s") case s(file: Foundation.URL, d: Swift.Optional<Foundation.Data>)"#
                )
                    == #"case .s(let file, let d): .uploadMultipartFormData(MultipartFormData(parts: [MultipartFormBodyPart(provider: .file(file), name: "file"), d.map { MultipartFormBodyPart(provider: .data($0), name: "d") }].compactMap { $0 }))"#
            )
        }

        @Test func `the task argument of a case names the function that makes the task`() {
            #expect(
                value(of: "task", #"@POST("/s", task: "make") case s(_ a: Int, b: Int)"#)
                    == "case .s(let a, let b): Self.make(a, b: b)")
        }

        @Test func `@HTTP sends a method that has no macro`() {
            #expect(
                value(of: "method", #"@HTTP("PURGE", "/s") case s"#)
                    == #"Moya.Method(rawValue: "PURGE")"#)
            #expect(value(of: "method", #"@QUERY("/s") case s"#) == ".query")
        }

        @Test func `a case has the sample and the validation of its attribute`() {
            #expect(
                value(of: "sampleData", #"@GET("/s", User.self, sample: User(id: 1)) case s"#)
                    == "MoyaMacros.ResponseValue<User>().data(of: User(id: 1))")
            #expect(
                value(of: "validationType", #"@GET("/s", validation: .none) case s"#) == ".none")
        }

        @Test func `a property that the enum declares is not generated`() {
            let own = "var headers: [String: String]? { nil }\n@GET(\"/s\") case s"
            let expanded = Expanded("@API(\"https://a.test\") enum A {\n\(own)\n}")
            #expect(lines(expanded.text).count { $0.hasPrefix("var headers") } == 1)
        }

        @Test func `cases and parameters named like keywords have backticks`() {
            #expect(
                value(of: "task", #"@GET("/s") case s(in: String, for: Int)"#)
                    == #"case .s(let `in`, let `for`): .requestQuery(MoyaMacros.QueryFields(["in": `in`, "for": `for`]))"#
            )
            #expect(
                value(of: "path", #"@GET("/{in}") case `default`(in: String)"#)
                    == #"case .`default`(let `in`): "/\(segment: `in`)""#)
        }

        @Test func `a keyword may be a parameter name, and its backticks are not sent`() {
            for name in ["true", "super", "inout", "private", "fallthrough", "subscript"] {
                #expect(
                    value(of: "task", "@GET(\"/s\") case s(`\(name)`: Int)")
                        == "case .s(let `\(name)`): .requestQuery("
                        + "MoyaMacros.QueryFields([\"\(name)\": `\(name)`]))")
            }
            #expect(
                value(of: "path", #"@GET("/{in}") case `true`(`in`: String)"#)
                    == #"case .`true`(let `in`): "/\(segment: `in`)""#)
            #expect(value(of: "task", #"@GET("/s") case s(`plain`: Int)"#)?.contains("`") == false)
            let expanded = Expanded(
                "@API(\"https://a.test\") enum A {\n@GET(\"/s\") case `true`(`inout`: Int)\n}")
            #expect(expanded.text.contains("func `true`(`inout`: Int) async throws"))
            #expect(expanded.text.contains("apiSender(.`true`(`inout`: `inout`))"))
            #expect(expanded.text.contains(".listed(\"true\", example: nil)"))
        }

        @Test func `a form without parts keeps its form body beside a fixed query item`() {
            #expect(
                value(of: "task", #"@Multipart @POST("/s", query: ["a": "b"]) case s"#)
                    == #".uploadMultipartFormData(MultipartFormData(parts: [])).addingQuery(MoyaMacros.QueryFields(["a": "b"]))"#
            )
        }

        @Test func `a macro may be qualified with its module name`() {
            #expect(value(of: "method", #"@MoyaMacros.POST("/s") case s"#) == ".post")
            let expanded = Expanded(
                "@MoyaMacros.API(\"https://a.test\") enum A {\n@GET(\"/s\") case s\n}")
            #expect(expanded.errors == [])
        }

        @Test func `Self in a parameter type or default value refers to the enum`() {
            let expanded = Expanded(
                """
                @API("https://a.test") enum A {
                @GET("/s", [Self.Item].self) case s(a: Self.Kind = Self.first, b: Int = 1)
                }
                """)
            #expect(
                expanded.text.contains(
                    "func s(a: A.Kind = A.first, b: Int = 1) async throws -> [A.Item]"))
        }

        @Test(arguments: [
            ("public extension X { @API(\"https://a.test\") enum A { @GET(\"/\") case a } }", true),
            (
                "public extension X { @API(\"https://a.test\") private enum A { @GET(\"/\") case a } }",
                false
            ),
            ("extension X { @API(\"https://a.test\") enum A { @GET(\"/\") case a } }", false),
            ("public struct X { @API(\"https://a.test\") enum A { @GET(\"/\") case a } }", false),
        ])
        func `members of an enum in a public extension are public unless it is private`(
            source: String, isPublic: Bool
        ) {
            #expect(Expanded(source).text.contains("public var baseURL") == isPublic)
        }

        @Test func `the expansion has the availability of the enum and its enclosing types`() {
            let expanded = Expanded(
                """
                @available(macOS 13, *) struct X {
                @available(macOS 14, *) @API("https://a.test") enum A { @GET("/") case a }
                }
                """)
            #expect(
                lines(expanded.text).joined(separator: " ").contains(
                    "@available(macOS 14, *) @available(macOS 13, *) nonisolated extension"))
        }

        // A pattern of a deprecated case is no warning, but its construction is, except in a
        // deprecated declaration.
        @Test func `code that constructs a deprecated case is deprecated`() {
            let expanded = Expanded(
                """
                @API("https://a.test") enum A {
                @GET("/a") case a
                @available(*, deprecated, message: "Use a.") @GET("/b") case b
                }
                """)
            let text = lines(expanded.text).joined(separator: " ")
            #expect(
                text.contains(
                    #"/// `GET /b` @available(*, deprecated, message: "Use a.") func b() async throws"#
                ))
            #expect(text.contains("/// `GET /a` func a() async throws"))
            #expect(text.contains("@available(*, deprecated) static var listedCases"))
            let other = Expanded(
                """
                @API("https://a.test") enum A {
                @GET("/a") case a
                @available(*, deprecated) @GET("/b/{id}") case b(id: Int)
                }
                """)
            let otherText = lines(other.text).joined(separator: " ")
            #expect(otherText.contains("static var listedCases"))
            #expect(!otherText.contains("@available(*, deprecated) static var listedCases"))
        }

        @Test func `control characters and quotes are escaped in URLs, paths and comments`() {
            #expect(
                value(of: "path", #"@GET("/a\r\0b\u{2028}") case s"#) == #""/a\u{d}\u{0}b\u{2028}""#
            )
            let expanded = Expanded(
                #"@API("https://a.test/\"x\"") enum A {"# + "\n" + #"@GET("/a\nb") case s"# + "\n}")
            #expect(expanded.errors == [])
            #expect(expanded.text.contains(#"URL(string: "https://a.test/\"x\"")"#))
            #expect(expanded.text.contains(#"/// `GET /a\u{a}b`"#))
        }

        @Test func `backslashes and quotes in a path are escaped`() {
            #expect(value(of: "path", #"@GET("/a\\b\"c") case s"#) == #""/a\\b\"c""#)
        }

        @Test
        func
            `request functions default optional parameters to nil and keep the case's defaults`()
        {
            let expanded = Expanded(
                """
                @API("https://a.test") enum A {
                @GET("/s") case s(_ a: Int, b: Int = 5, c: String?, d: Optional<Int>)
                }
                """)
            #expect(
                expanded.text.contains(
                    "func s(_ a: Int, b: Int = 5, c: String? = nil, d: Optional<Int> = nil) async throws -> Moya.Response"
                ))
            #expect(expanded.text.contains("apiSender(.s(a, b: b, c: c, d: d))"))
        }
    }
#endif
