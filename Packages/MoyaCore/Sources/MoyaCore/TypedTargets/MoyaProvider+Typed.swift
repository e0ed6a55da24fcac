extension MoyaProvider where Target: ResponseTarget {
    /// Makes a request and decodes its response. Cancelling the task cancels the request.
    ///
    /// ```swift
    /// let user = try await provider.request(GetUser(id: 1))
    /// ```
    ///
    /// - Throws: ``MoyaError``, with the response in it where there was one.
    public func request(_ target: Target) async throws -> Target.Response {
        let response: Response = try await request(target)
        return try value(of: target, in: response)
    }

    /// Like `request(_:)`, with a decoder for this call.
    public func request(
        _ target: Target, using decoder: any BodyDecoder
    ) async throws -> Target.Response {
        let response: Response = try await request(target)
        return try value(of: target, in: response, using: decoder)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Makes a request and decodes its response. Cancelling the task cancels the request.
    ///
    /// ```swift
    /// let user = try await provider.request(GetUser(id: 1))
    /// ```
    ///
    /// - Throws: ``MoyaError``, with the response in it where there was one.
    public func request<Typed: ResponseTarget>(
        _ target: Typed
    ) async throws -> Typed.Response {
        try value(of: target, in: await request(MultiTarget(target)))
    }

    /// Like `request(_:)`, with a decoder for this call.
    public func request<Typed: ResponseTarget>(
        _ target: Typed, using decoder: any BodyDecoder
    ) async throws -> Typed.Response {
        try value(of: target, in: await request(MultiTarget(target)), using: decoder)
    }
}

extension MoyaProvider {
    /// What `target` decodes out of `response`.
    func value<Typed: ResponseTarget>(
        of target: Typed, in response: Response, using decoder: (any BodyDecoder)? = nil
    ) throws(MoyaError) -> Typed.Response {
        let chosen = decoder.map { Coders(decoder: $0) } ?? target.coders ?? coders
        do {
            return try target.decode(response, with: chosen)
        } catch {
            throw MoyaError(wrapping: error, response)
        }
    }
}
