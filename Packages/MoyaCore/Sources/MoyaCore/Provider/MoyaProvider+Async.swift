import Foundation
import MoyaInternals

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
    ///   - decoder: Decodes the value. `nil` uses the provider's ``coders``.
    ///   - failsOnEmptyData: Whether an empty body is an error, or `nil` if `type` is an optional.
    ///     Otherwise the value is decoded from `{}` or, if that fails, from `[{}]`.
    /// - Throws: ``MoyaError``, with the response if one was received.
    public nonisolated(nonsending) func request<Value: Decodable>(
        _ target: Target, as type: Value.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder? = nil, failsOnEmptyData: Bool = true
    ) async throws -> Value {
        let response = try await request(target)
        if response.data.isEmpty, failsOnEmptyData, let none = Response.none(of: type) {
            return none
        }
        do {
            let coder = decoder ?? coders.decoder(for: response.header("Content-Type"))
            // Key paths and substitutes for an empty body exist only for JSON.
            let isJSON = keyPath != nil || !failsOnEmptyData
            guard let decoder = coder as? JSONDecoder ?? (isJSON ? JSONDecoder() : nil) else {
                return try response.decode(type)
            }
            return try response.map(
                type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
        } catch {
            throw MoyaError(wrapping: error)
        }
    }

    /// Sends a request and returns its progress. The last element has the response.
    ///
    /// ```swift
    /// for try await progress in provider.progress(of: .upload(film)) {
    ///     print(progress.progress, progress.response?.statusCode ?? "…")
    /// }
    /// ```
    ///
    /// Starts the request immediately. Ending the iteration cancels the request. The stream buffers
    /// only the newest element, so a slow consumer skips outdated progress. The stream throws
    /// ``MoyaError``. If the task that iterates is cancelled, the stream ends without an error and
    /// without a response, as every `AsyncThrowingStream` does.
    public func progress(of target: Target) -> AsyncThrowingStream<ProgressResponse, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let newest = Locked<Progress?>(nil)
            let token = request(target, callbackQueue: callbackQueue ?? .global()) { report in
                newest.withLock { $0 = report.progressObject }
                // The element with the response is yielded in `completion`, after the plugins'
                // `process`.
                if !report.completed { continuation.yield(report) }
            } completion: { result in
                do {
                    let response = try result.get()
                    let progress = newest.withLock { $0 }
                    continuation.yield(ProgressResponse(progress: progress, response: response))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            // Retains the provider, whose release would cancel the request.
            continuation.onTermination = { [self] _ in
                withExtendedLifetime(self) { token.cancel() }
            }
        }
    }

    /// Implements ``request(_:)``, optionally with another endpoint than the target's.
    func response(
        to target: Target, at other: Endpoint? = nil
    ) async throws(MoyaError) -> Response {
        let hooks = hooks(for: target)
        // A cancelled task calls none of the provider's closures. Plugins `process` its error.
        let outcome =
            Task.isCancelled
            ? .cancelled(wasSent: false)
            : await makePipeline(target, at: other, hooks).pipeline
                .run(claim: { _ in !Task.isCancelled })
        defer { outcome.leave?() }
        return try hooks.finish(outcome).get()
    }
}
