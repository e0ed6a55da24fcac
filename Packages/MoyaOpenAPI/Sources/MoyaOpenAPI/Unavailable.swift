import MoyaCore

// Compiler messages for the API whose trait is off.

#if !HTTPTypes
    extension MoyaProvider where Target == MultiTarget {
        @available(
            *, unavailable,
            message: "Turn on the trait HTTPTypes: .package(url: …, traits: [\"HTTPTypes\"])"
        )
        public func send(_ request: Any, task: RequestTask = .requestPlain) async throws
            -> Response
        {
            throw MoyaError.requestMapping("")
        }
    }
#endif

#if !OpenAPI
    /// Stand-in for the transport without the trait `OpenAPI`. Using it is a compile error that
    /// names the trait.
    @available(
        *, unavailable,
        message: "Turn on the trait OpenAPI: .package(url: …, traits: [\"OpenAPI\"])"
    )
    public struct OpenAPITransport {
        public init(_ transport: any Transport, timeoutInterval: Double? = nil) {}
    }
#endif
