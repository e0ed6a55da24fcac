import Foundation

extension MoyaProvider {
    /// Sends a request and decodes its response.
    ///
    /// ```swift
    /// let user = try await provider.request(.userProfile("ashfurrow"), as: User.self)
    /// ```
    ///
    /// Decodes the value in the caller's isolation, for example on the main actor, so its type may
    /// be isolated to the same actor.
    ///
    /// - Parameters:
    ///   - keyPath: Path of the value in the JSON: names joined by dots.
    ///   - decoder: Decodes the value. `nil` uses the ``Coders`` of the target, otherwise of the
    ///     provider.
    ///   - failsOnEmptyData: Whether an empty body is an error, or `nil` if `type` is an optional.
    ///     Otherwise the value is decoded from `{}` or, if that fails, from `[{}]`.
    /// - Throws: ``MoyaError``, with the response if one was received.
    public nonisolated(nonsending) func request<Value: Decodable>(
        _ target: Target, as type: Value.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder? = nil, failsOnEmptyData: Bool = true
    ) async throws -> Value {
        let response = try await request(target)
        return try response.value(
            type, atKeyPath: keyPath, using: decoder, or: coders(for: target),
            failsOnEmptyData: failsOnEmptyData)
    }
}

extension MoyaProvider where Target: ResponseTarget {
    /// Sends a request and decodes its response. Cancelling the task cancels the request.
    ///
    /// ```swift
    /// let user = try await provider.request(GetUser(id: 1))
    /// ```
    ///
    /// - Throws: ``MoyaError``, with the response if one was received.
    public func request(_ target: Target) async throws -> Target.Response {
        // The type selects the `request` that does not decode.
        let response: Response = try await request(target)
        return try value(of: target, in: response)
    }

    /// Sends a request and decodes its response with `decoder`. See `request(_:)`.
    public func request(
        _ target: Target, using decoder: any BodyDecoder
    ) async throws -> Target.Response {
        let response: Response = try await request(target)
        return try value(of: target, in: response, using: decoder)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Sends a request and decodes its response. Cancelling the task cancels the request.
    ///
    /// ```swift
    /// let user = try await provider.request(GetUser(id: 1))
    /// ```
    ///
    /// - Throws: ``MoyaError``, with the response if one was received.
    public func request<Typed: ResponseTarget>(
        _ target: Typed
    ) async throws -> Typed.Response {
        try value(of: target, in: await request(MultiTarget(target)))
    }

    /// Sends a request and decodes its response with `decoder`. See `request(_:)`.
    public func request<Typed: ResponseTarget>(
        _ target: Typed, using decoder: any BodyDecoder
    ) async throws -> Typed.Response {
        try value(of: target, in: await request(MultiTarget(target)), using: decoder)
    }
}

extension MoyaProvider {
    /// Decodes `response` with `decoder`, the target's coders, or the provider's coders.
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
