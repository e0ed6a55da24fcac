#if Macros
    import MoyaCore

    /// Generates the members of a target type for an enum with a case for each request.
    ///
    /// ```swift
    /// @API("https://api.github.com", headers: ["Accept": "application/json"])
    /// enum GitHub {
    ///     @GET("/zen", String.self) case zen
    ///     @GET("/users/{name}", User.self) case user(name: String)
    ///     @GET("/search/repositories", Found.self) case search(q: String, page: Int?)
    ///     @POST("/users/{name}/repos", Repo.self, body: "repo")
    ///     case create(name: String, repo: NewRepo)
    ///     @Multipart @POST("/avatar") case avatar(file: URL)
    /// }
    ///
    /// let repo = try await provider.api.create(name: "a", repo: new)
    /// let response = try await provider.request(.zen)
    /// ```
    ///
    /// A parameter in braces is a path segment. A parameter that path, body, header fields and
    /// `query` do not name becomes a query item with its name, or a form part under `@Multipart`. A
    /// parameter that is `nil` is omitted. Members that the enum declares, such as
    /// `validationType`, are not generated.
    ///
    /// - Parameters:
    ///   - baseURL: Base URL of every request, as a string literal.
    ///   - headers: Header fields of every request.
    ///   - query: Encodes query items: dates, arrays and booleans.
    ///   - names: Names of the query items and form parts that parameters become.
    ///   - failure: Type of the error body, for `error.failure(of: GitHub.self)`.
    @attached(
        extension, conformances: APITarget,
        names: named(baseURL), named(path), named(method), named(task), named(headers),
        named(validationType), named(sampleData), named(listedCases), named(Requests),
        named(Failure)
    )
    public macro API(
        _ baseURL: String, headers: [String: String] = [:],
        query: URLQueryEncoder = URLQueryEncoder(), names: ParameterNames = .asWritten,
        failure: Any.Type = Never.self
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

    /// Sends a form (`multipart/form-data`). Its parts are the parameters without another use: a
    /// `URL` is a file, `Data` is a part of bytes, and other types are text. Requires
    /// MoyaMultipart.
    @attached(peer)
    public macro Multipart() = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a request with another method: `@HTTP("PURGE", "/cache")`.
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro HTTP(
        _ method: String, _ path: String, _ response: Any.Type = Response.self,
        body: String? = nil, headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a request that retrieves a resource (RFC 9110, section 9.3.1).
    ///
    /// - Parameters:
    ///   - path: Path that begins with `/`. A parameter in braces becomes one segment:
    ///     `"/users/{name}"`. With an ellipsis it may have several: `"/contents/{path...}"`.
    ///   - response: Type of the decoded response: a `Decodable` type, `String.self`, `Data.self`
    ///     or `Void.self`. By default the `Response` itself.
    ///   - body: Name of the parameter that is the body, encoded by the provider's `Coders`.
    ///   - headers: Header fields: `["X-Trace": "{trace}"]`. They replace header fields of the API.
    ///   - query: Query items with another name than their parameter's, or with fixed text:
    ///     `["per_page": "{size}"]`.
    ///   - sample: Response of a stub, a value of the response type.
    ///   - example: Values of the parameters, for a catalog: `["name": "ashfurrow"]`.
    ///   - validation: Accepted status codes. By default 200 to 299.
    ///   - task: Name of a static function of the enum that creates the task from the parameters.
    @attached(peer)
    public macro GET(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a request for the header fields that GET would return (RFC 9110, section 9.3.2).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro HEAD(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a request that has a resource process the body (RFC 9110, section 9.3.3).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro POST(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a request that creates or replaces a resource (RFC 9110, section 9.3.4).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro PUT(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a request that deletes a resource (RFC 9110, section 9.3.5).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro DELETE(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a request that modifies a resource partially (RFC 5789).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro PATCH(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a request for the communication options of a resource (RFC 9110, section 9.3.7).
    ///
    /// See ``GET(_:_:body:headers:query:sample:example:validation:task:)`` for the parameters.
    @attached(peer)
    public macro OPTIONS(
        _ path: String, _ response: Any.Type = Response.self, body: String? = nil,
        headers: [String: String] = [:], query: [String: String] = [:],
        sample: Any? = nil, example: [String: Any] = [:],
        validation: ValidationType = .successCodes, task: String? = nil
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "RouteMacro")

    /// Declares a safe request with a body (the IETF's draft "The HTTP QUERY Method").
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
    /// Generates the members of a target type for an enum. Requires the trait `Macros`.
    ///
    /// Without the trait this is a global actor, so that the compiler names the missing trait where
    /// `@API` is used. A macro without its plugin would cause a warning in every program.
    @available(
        *, unavailable,
        message: "Turn on the trait Macros: .package(url: …, traits: [\"Macros\"])"
    )
    @globalActor
    public actor API {
        public static let shared = API()
    }
#endif
