#if Macros
    import Testing

    /// Each error with its message, its line, and the source after its fix-it.
    @Suite struct ErrorTests {
        private func check(
            _ cases: String, _ error: String, fixed: String? = nil,
            location: SourceLocation = #_sourceLocation
        ) {
            let expanded = Expanded(api(cases))
            #expect(expanded.errors == [error], sourceLocation: location)
            #expect(expanded.fixed == api(fixed ?? cases), sourceLocation: location)
            if fixed != nil {
                #expect(Expanded(expanded.fixed).errors == [], sourceLocation: location)
            }
        }

        private func api(_ cases: String) -> String {
            "@API(\"https://a.test\") enum A {\n\(cases)\n}"
        }

        @Test func `an unknown placeholder in a path is an error that a fix-it resolves`() {
            check(
                #"@GET("/users/{name}") case user(id: Int, page: Int)"#,
                "2: 'user' has no parameter 'name' → add the parameter 'name: String'",
                fixed: #"@GET("/users/{name}") case user(id: Int, page: Int, name: String)"#)
            check(
                #"@GET("/users/{name}") case user"#,
                "2: 'user' has no parameter 'name' → add the parameter 'name: String'",
                fixed: #"@GET("/users/{name}") case user(name: String)"#)
            check(
                #"@GET("/users/{nmae}") case user(name: String)"#,
                "2: 'user' has no parameter 'nmae' → use 'name'",
                fixed: #"@GET("/users/{name}") case user(name: String)"#)
        }

        @Test func `an unknown parameter in an attribute is an error that a fix-it resolves`() {
            check(
                #"@POST("/a", body: "itme") case add(item: Int)"#,
                "2: 'add' has no parameter 'itme' → use 'item'",
                fixed: #"@POST("/a", body: "item") case add(item: Int)"#)
            check(
                #"@GET("/a", headers: ["X": "{b}"]) case a(c: Int)"#,
                "2: 'a' has no parameter 'b' → use 'c'",
                fixed: #"@GET("/a", headers: ["X": "{c}"]) case a(c: Int)"#)
            check(
                #"@GET("/a", query: ["x": "{b}"]) case a(c: Int)"#,
                "2: 'a' has no parameter 'b' → use 'c'",
                fixed: #"@GET("/a", query: ["x": "{c}"]) case a(c: Int)"#)
            check(
                #"@GET("/a", example: ["b": 1]) case a(c: Int)"#,
                "2: 'a' has no parameter 'b' → use 'c'",
                fixed: #"@GET("/a", example: ["c": 1]) case a(c: Int)"#)
        }

        @Test func `a parameter that is used twice is an error`() {
            check(
                #"@PUT("/users/{user}", Int.self, body: "user") case put(user: String)"#,
                "2: 'user' is used twice → remove 'body'",
                fixed: #"@PUT("/users/{user}", Int.self) case put(user: String)"#)
            check(
                #"@GET("/{a}", headers: ["X": "{a}"]) case b(a: String)"#,
                "2: 'a' is used twice → remove 'headers'",
                fixed: #"@GET("/{a}") case b(a: String)"#)
            check(
                #"@GET("/{a}", headers: ["X": "{a}", "Y": "y"], query: ["z": "z"]) case b(a: String)"#,
                #"2: 'a' is used twice → remove "X" from 'headers'"#,
                fixed: #"@GET("/{a}", headers: ["Y": "y"], query: ["z": "z"]) case b(a: String)"#)
            check(
                #"@GET("/{a}", headers: ["Y": "y", "X": "{a}"]) case b(a: String)"#,
                #"2: 'a' is used twice → remove "X" from 'headers'"#,
                fixed: #"@GET("/{a}", headers: ["Y": "y"]) case b(a: String)"#)
            check(#"@GET("/{a}/{a}") case b(a: String)"#, "2: 'a' stands in the path twice")
        }

        @Test func `a body or form on GET, or a body beside a form, is an error`() {
            check(
                #"@GET("/users", body: "user") case put(user: String)"#,
                "2: a GET has no body → make it a POST",
                fixed: #"@POST("/users", body: "user") case put(user: String)"#)
            check(
                #"@Multipart @GET("/users") case put(user: String)"#,
                "2: a GET has no form → make it a POST",
                fixed: #"@Multipart @POST("/users") case put(user: String)"#)
            check(
                #"@Multipart @POST("/users", body: "user") case put(user: String)"#,
                "2: a form is the body already")
        }

        @Test func `an optional, array or date parameter in a path is an error`() {
            check(
                #"@GET("/users/{id}") case user(id: Int?)"#,
                "2: 'id' is in the path, so it cannot be left out → make it 'Int'",
                fixed: #"@GET("/users/{id}") case user(id: Int)"#)
            check(
                #"@GET("/users/{ids}") case user(ids: [Int] = [])"#,
                "2: 'ids' is a '[Int]', which is no segment of a path → make it 'String'",
                fixed: #"@GET("/users/{ids}") case user(ids: String)"#)
            check(
                #"@GET("/days/{day}") case user(day: Date)"#,
                "2: 'day' is a 'Date', which is no segment of a path → make it 'String'",
                fixed: #"@GET("/days/{day}") case user(day: String)"#)
            check(
                #"@GET("/days/{day}") case user(day: Foundation.Date)"#,
                "2: 'day' is a 'Foundation.Date', which is no segment of a path → make it 'String'",
                fixed: #"@GET("/days/{day}") case user(day: String)"#)
            check(
                #"@GET("/days/{day}") case user(day: Swift.Optional<Int>)"#,
                "2: 'day' is in the path, so it cannot be left out → make it 'Int'",
                fixed: #"@GET("/days/{day}") case user(day: Int)"#)
        }

        @Test func `an array or date in a header field, text or form part is an error`() {
            check(
                #"@GET("/a", headers: ["X": "{ids}"]) case a(ids: [Int])"#,
                "2: 'ids' is a '[Int]', which is no header field → make it 'String'",
                fixed: #"@GET("/a", headers: ["X": "{ids}"]) case a(ids: String)"#)
            check(
                #"@GET("/a", query: ["x": "after {day}"]) case a(day: Date?)"#,
                "2: 'day' is a 'Date?', which is no text → make it 'String?'",
                fixed: #"@GET("/a", query: ["x": "after {day}"]) case a(day: String?)"#)
            check(
                #"@Multipart @POST("/a") case a(day: Date)"#,
                "2: 'day' is a 'Date', which is no part of a form → make it 'String'",
                fixed: #"@Multipart @POST("/a") case a(day: String)"#)
            check(
                #"@Multipart @POST("/a") case a(day: Foundation.Date?)"#,
                "2: 'day' is a 'Foundation.Date?', which is no part of a form → make it 'String?'",
                fixed: #"@Multipart @POST("/a") case a(day: String?)"#)
        }

        @Test func `a placeholder of several segments outside of a path is an error`() {
            check(
                #"@GET("/a", headers: ["X": "{b...}"]) case a(b: String)"#,
                "2: '{b...}' is for a path → write '{b}'",
                fixed: #"@GET("/a", headers: ["X": "{b}"]) case a(b: String)"#)
            check(
                #"@GET("/a/{ids...}") case a(ids: [String])"#,
                "2: 'ids' is a '[String]', which is no segment of a path → make it 'String'",
                fixed: #"@GET("/a/{ids...}") case a(ids: String)"#)
            check(
                #"@GET("/a/{b...}") case a(c: String)"#,
                "2: 'a' has no parameter 'b' → use 'c'",
                fixed: #"@GET("/a/{c...}") case a(c: String)"#)
        }

        @Test(arguments: [
            ("names: [\"b\": \"c\"]", "no case has a parameter 'b'"),
            ("names: [\"a\": b]", "write both names in quotes"),
            ("names: all", "write .snakeCase, or a dictionary in brackets"),
            ("failure: Problem", "write the type of the error body as 'APIError.self'"),
        ])
        func `an argument of @API of the wrong form is an error`(argument: String, error: String) {
            let source =
                "@API(\"https://a.test\", \(argument)) enum A {\n@GET(\"/a\") case a(a: Int)\n}"
            #expect(Expanded(source).errors == ["1: \(error)"])
        }

        @Test func `a query in a path is an error`() {
            check(
                #"@GET("/a?b=1") case a"#,
                "2: a path has no '?': items of the query are parameters, or stand in 'query'")
        }

        @Test func `a path without a slash or with unmatched braces is an error`() {
            check(
                #"@GET("users") case users"#, #"2: a path begins with '/' → write "/users""#,
                fixed: #"@GET("/users") case users"#)
            check(
                #"@GET("/users/{id") case user(id: Int)"#, "2: the braces in the path do not match")
            check(
                #"@GET("/\(a)") case users"#,
                "2: write a text in quotes, with nothing put into it")
        }

        @Test func `an unknown, missing or second HTTP method of a case is an error`() {
            check(
                #"@FETCH("/users") case users"#,
                #"2: there is no method @FETCH → use @HTTP("FETCH", …)"#,
                fixed: #"@HTTP("FETCH", "/users") case users"#)
            check(
                #"case users"#, #"2: 'users' has no method and no path → add @GET("/users")"#,
                fixed: #"@GET("/users") case users"#)
            check(
                #"@GET("/a") @POST("/a") case users"#,
                "2: 'users' has more than one method → remove @POST",
                fixed: #"@GET("/a") case users"#)
            check(
                #"@HTTP("NO GOOD", "/a") case users"#,
                #"2: "NO GOOD" is no method (RFC 9110, section 9.1)"#)
        }

        @Test func `two cases with equal request lines are an error`() {
            check(
                """
                @GET("/users/{id}") case user(id: Int)
                @GET("/users/{name}") case named(name: String)
                """,
                "3: 'named' has the request line of 'user': GET /users/{} → add the name of the case",
                fixed: """
                    @GET("/users/{id}") case user(id: Int)
                    @GET("/users/{name}/named") case named(name: String)
                    """)
        }

        @Test func `two cases with one base name are an error at both cases`() {
            let expanded = Expanded(
                api(
                    """
                    @GET("/users/{id}") case user(id: Int)
                    @GET("/named/{name}") case user(name: String)
                    @GET("/users") case users
                    """))
            let error = "several cases are named 'user': give each request a name of its own"
            #expect(expanded.errors == ["2: \(error)", "3: \(error)"])
            #expect(!expanded.text.contains("extension"))
        }

        @Test func `two cases with equal fixed query items are an error`() {
            check(
                """
                @GET("/s", query: ["type": "user"]) case a
                @GET("/s", query: ["type": "user"]) case b
                """,
                "3: 'b' has the request line of 'a': GET /s?type=user → add the name of the case",
                fixed: """
                    @GET("/s", query: ["type": "user"]) case a
                    @GET("/s/b", query: ["type": "user"]) case b
                    """)
        }

        @Test func `cases with different request lines, bodies or header fields are valid`() {
            let expanded = Expanded(
                api(
                    """
                    @GET("/users") case users
                    @GET("/users") case search(q: String)
                    @POST("/users", body: "user") case add(user: Int)
                    @POST("/users", body: "user") case addNamed(user: String)
                    @POST("/users", task: "make") case make
                    @GET("/s", query: ["type": "user"]) case user
                    @GET("/s", query: ["type": "org"]) case org
                    @GET("/users", headers: ["Accept": "text/csv"]) case csv
                    @GET("/users", headers: ["Accept": "text/plain"]) case plain
                    @Multipart @POST("/f") case form(a: Int)
                    @Multipart @POST("/f") case other(b: Int)
                    """))
            #expect(expanded.errors == [])
        }

        @Test func `an unnamed parameter, or two cases in one declaration, is an error`() {
            check(
                #"@GET("/users/{id}") case user(Int)"#,
                "2: a parameter of a request needs a name → name it 'id'",
                fixed: #"@GET("/users/{id}") case user(id: Int)"#)
            check(
                #"@GET("/users") case a, b"#,
                "2: a request is one case: write each case on a line of its own, with its path")
        }

        @Test func `cases inside #if are an error`() {
            check(
                """
                @GET("/a") case a
                #if DEBUG
                #if os(Linux)
                @GET("/b") case b
                #endif
                #endif
                #if DEBUG
                static let c = 1
                #endif
                """,
                "3: @API cannot tell which of these cases are compiled: write them without #if")
        }

        @Test func `a body, form or query beside a task is an error`() {
            check(
                #"@POST("/a", body: "b", task: "make") case a(b: Int)"#,
                "2: the task has the body already")
            check(
                #"@Multipart @POST("/a", task: "make") case a(b: Int)"#,
                "2: the task has the body already")
            check(
                #"@GET("/a", query: ["c": "{b}"], task: "make") case a(b: Int)"#,
                "2: the task has the query already")
        }

        @Test func `an attribute argument of the wrong form is an error`() {
            check(
                #"@GET("/users", User) case a"#,
                "2: write the type of the response as 'User.self'")
            check(
                #"@GET("/users", headers: all) case a"#, "2: write a dictionary in brackets")
            check(
                #"@GET("/users", headers: ["A": one]) case a"#,
                #"2: write a text, or a parameter in braces: "{name}""#)
            check(
                #"@GET("/users", headers: [one: "A"]) case a"#, "2: write a name in quotes")
        }

        @Test(arguments: [
            (
                "@API(base) enum A { @GET(\"/a\") case a }",
                "1: write the base URL in quotes, with http or https and a host"
            ),
            (
                "@API(\"ftp://a.test\") enum A { @GET(\"/a\") case a }",
                "1: write the base URL in quotes, with http or https and a host"
            ),
            ("@API(\"https://a.test\") enum A {}", "1: an API has a case for each request"),
            (
                "@API(\"https://a.test\") enum A { case a }",
                "1: 'a' has no method and no path → add @GET(\"/a\")"
            ),
            (
                "@API(\"https://a.test\") struct A {}",
                "1: @API belongs to an enum, with a case for each request"
            ),
            ("@GET(\"/a\") func a() {}", "1: @GET belongs to a case of an enum with @API"),
            (
                "enum A {\n@GET(\"/a\") case a\n}", "2: @GET belongs to a case of an enum with @API"
            ),
            (
                "@API(\"https://a.test\") enum A {\n@GET(\"/a\") case a\nenum B {\n@PUT(\"/b\") case b\n}\n}",
                "4: @PUT belongs to a case of an enum with @API"
            ),
        ])
        func `a misplaced macro or an invalid base URL is an error`(source: String, error: String) {
            #expect(Expanded(source).errors == [error])
        }
    }
#endif
