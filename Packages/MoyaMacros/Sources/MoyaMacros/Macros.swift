#if Macros
    import MoyaCore

    /// Makes a target type of an enum, with a case for each request.
    ///
    /// ```swift
    /// @API("https://api.github.com", headers: ["Accept": "application/json"])
    /// enum GitHub {
    ///     @GET("/zen", String.self) case zen
    ///     @GET("/users/{name}", User.self) case user(name: String)
    ///     @GET("/search/repositories", Found.self) case search(q: String, page: Int?)
    ///     @POST("/users/{name}/repos", Repo.self, body: "repo") case create(name: String, repo: NewRepo)
    ///     @Multipart @POST("/avatar") case avatar(file: URL)
    /// }
    ///
    /// let repo = try await provider.api.create(name: "a", repo: new)
    /// let response = try await provider.request(.zen)
    /// ```
    ///
    /// A parameter in braces is a segment of the path. What path, body, header fields and `query` do not name is an item of
    /// the query by its own name, or a part of the form under `@Multipart`. One that is `nil` is left out. A member that the
    /// enum declares itself (`validationType`, for example) is not written.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of every request, in quotes.
    ///   - headers: The header fields of every request.
    ///   - query: How queries are written: dates, arrays and booleans.
    @attached(
        extension, conformances: APITarget,
        names: named(baseURL), named(path), named(method), named(task), named(headers),
        named(validationType), named(sampleData), named(listedCases), named(Requests)
    )
    public macro API(
        _ baseURL: String, headers: [String: String] = [:],
        query: URLQueryEncoder = URLQueryEncoder()
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

    /// Sends a form (`multipart/form-data`) whose parts are the parameters that stand nowhere else: a `URL` is a file, `Data` are
    /// bytes, everything else is text. It needs MoyaMultipart.
    @attached(peer)
    public macro Multipart() = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// A request with another method: `@HTTP("PURGE", "/cache")`. See ``GET(_:_:body:headers:query:sample:example:validation:task:)``
    /// for the parameters.
    @attached(peer)
    public macro HTTP(
        _ method: String, _ path: String, _ response: Any.Type = Response.self,
        body: String? = nil, headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Asks for a resource (RFC 9110, section 9.3.1).
    ///
    /// - Parameters:
    ///   - path: Begins with `/`. A parameter in braces becomes one segment: `"/users/{name}"`.
    ///   - response: What the body is decoded into: a `Decodable` type, `String.self`, `Data.self` or `Void.self`. The response
    ///     as it is where there is none.
    ///   - body: The name of the parameter that is the body, encoded by the provider's `Coders`.
    ///   - headers: Header fields: `["X-Trace": "{trace}"]`. They replace those of the API.
    ///   - query: Items with another name than the parameter's, or with fixed text: `["per_page": "{size}"]`.
    ///   - sample: What a stub answers with, a value of the type of the response.
    ///   - example: Values of the parameters, for a catalogue: `["name": "ashfurrow"]`.
    ///   - validation: The status codes that are accepted.
    ///   - task: The name of a static function of the enum that makes the task out of the parameters.
    @attached(peer)
    public macro GET(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Asks for the head of what GET would answer (RFC 9110, section 9.3.2).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro HEAD(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Has a resource process the body (RFC 9110, section 9.3.3).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro POST(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Creates or replaces a resource (RFC 9110, section 9.3.4).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro PUT(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Removes a resource (RFC 9110, section 9.3.5).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro DELETE(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Changes a part of a resource (RFC 5789).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro PATCH(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Asks what there is to choose from (RFC 9110, section 9.3.7).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro OPTIONS(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Asks with a body, and changes nothing (the IETF's draft "The HTTP QUERY Method").
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro QUERY(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")
#else
    /// Makes a target type of an enum. It needs the trait `Macros`.
    ///
    /// A global actor, since the compiler then says what is missing: a macro without its plugin is a warning for everybody.
    @available(
        *, unavailable,
        message: "Turn on the trait Macros: .package(url: …, traits: [\"Macros\"])"
    )
    @globalActor
    public actor API {
        public static let shared = API()
    }
#endif
