import MoyaInternals

extension MoyaError {
    /// Decodes the body of a response whose status code validation rejected. Returns `nil` for all
    /// other errors, and if the body cannot be decoded; `error.response?.decode(Value.self)` throws
    /// the reason.
    ///
    /// ```swift
    /// } catch let error as MoyaError {
    ///     if let refused = error.failure(as: APIError.self) { … }
    /// }
    /// ```
    ///
    /// - Parameter coders: Coders to use instead of those of the target or the provider.
    public func failure<Value: Decodable>(
        as type: Value.Type = Value.self, using coders: Coders? = nil
    ) -> Value? {
        try? refusedResponse?.decode(type, using: coders)
    }

    /// The problem details (RFC 9457) of a response whose status code validation rejected. `nil` if
    /// its `Content-Type` is not `application/problem+json`.
    public var problem: ProblemDetails? {
        guard let response = refusedResponse,
            response.header("Content-Type").map(MediaType.init) == ProblemDetails.mediaType
        else { return nil }
        // RFC 9457 defines names and types, so the provider's key and date strategies do not apply.
        return try? response.decode(ProblemDetails.self, using: .json)
    }

    /// The title of ``problem`` for a message, with secrets masked: at most 200 characters without
    /// control characters, because logs and terminals show it. `nil` for an error that contains the
    /// error with the title.
    var problemTitle: String? {
        // A larger body describes no problem, and is not decoded for a message.
        guard case .statusCode(let response) = self, response.data.count <= 1 << 16,
            let title = problem?.title
        else { return nil }
        let shown = Redaction.default.redact(text: String(title.unicodeScalars.prefix(1000)))
        return String(shown.printable.unicodeScalars.prefix(200))
    }

    /// The response whose status code validation rejected.
    private var refusedResponse: Response? {
        switch self {
        case .statusCode(let response), .underlying(MoyaError.statusCode(let response), _): response
        default: nil
        }
    }
}
