extension MoyaError {
    /// The response's body decoded, where the validation has refused the response's status. `nil` for every other error, and
    /// where the body is no `Value`: `error.response?.decode(Value.self)` throws the reason.
    ///
    /// ```swift
    /// } catch let error as MoyaError {
    ///     if let refused = error.failure(as: APIError.self) { … }
    /// }
    /// ```
    ///
    /// - Parameter coders: Stand in for those of the provider that made the request.
    public func failure<Value: Decodable>(
        as type: Value.Type = Value.self, using coders: Coders? = nil
    ) -> Value? {
        try? refusedResponse?.decode(type, using: coders)
    }

    /// The problem details (RFC 9457) of a response that the validation has refused. `nil` where its `Content-Type` is not
    /// `application/problem+json`.
    public var problem: ProblemDetails? {
        guard let response = refusedResponse,
            response.header("Content-Type").map(MediaType.init) == ProblemDetails.mediaType
        else { return nil }
        // Names and types are the RFC's, whatever the provider's decoder makes of keys and dates.
        return try? response.decode(ProblemDetails.self, using: .json)
    }

    /// The response whose status the validation has refused.
    private var refusedResponse: Response? {
        switch self {
        case .statusCode(let response), .underlying(MoyaError.statusCode(let response), _): response
        default: nil
        }
    }
}
