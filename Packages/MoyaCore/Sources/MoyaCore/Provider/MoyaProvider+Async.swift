import Foundation
import MoyaInternals

extension MoyaProvider {
    /// Makes a request and decodes its response.
    ///
    /// ```swift
    /// let user = try await provider.request(.userProfile("ashfurrow"), as: User.self)
    /// ```
    ///
    /// The value is decoded where the caller runs, on the main actor for example: its type may be isolated to it.
    ///
    /// - Parameters:
    ///   - keyPath: Where in the JSON the value stands, names joined by dots.
    ///   - decoder: Decodes the value. `nil` means that the provider's ``coders`` do.
    ///   - failsOnEmptyData: Whether an empty body is an error. Otherwise the value is decoded from
    ///     `{}` or, if that does not do, from `[{}]`.
    /// - Throws: ``MoyaError``, with the response in it where there was one.
    public nonisolated(nonsending) func request<Value: Decodable>(
        _ target: Target, as type: Value.Type, atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder? = nil, failsOnEmptyData: Bool = true
    ) async throws -> Value {
        let response = try await request(target)
        do {
            let coder = decoder ?? coders.decoder(for: response.header("Content-Type"))
            // A key path is one of JSON, and so is a value of an empty body.
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

    /// Makes a request and tells how far it has come. The last element has the response.
    ///
    /// ```swift
    /// for try await progress in provider.progress(of: .upload(film)) {
    ///     print(progress.progress, progress.response?.statusCode ?? "…")
    /// }
    /// ```
    ///
    /// The request is made at once. Leaving the loop cancels it. An element that the loop is too slow for is skipped, since
    /// the next one says all that it said. The loop throws ``MoyaError``.
    public func progress(of target: Target) -> AsyncThrowingStream<ProgressResponse, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let newest = Locked<Progress?>(nil)
            let token = request(target, callbackQueue: callbackQueue ?? .global()) { report in
                newest.withLock { $0 = report.progressObject }
                // What comes with the response waits for the plugins.
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
            continuation.onTermination = { _ in token.cancel() }
        }
    }

    /// What ``request(_:)`` does, with a changed endpoint.
    func response(
        to target: Target, changing change: ((Endpoint) -> Endpoint)? = nil
    ) async throws(MoyaError) -> Response {
        // There is no way to ask whether a method is overridden. To call it for every provider would cost each request a task and
        // two changes of thread.
        if isSubclass, change == nil {
            return try await wait {
                request(target, callbackQueue: callbackQueue ?? .global(), completion: $0)
            }.get()
        }
        let behavior = stubClosure(target)
        let endpoint = change?(endpoint(target)) ?? endpoint(target)
        guard behavior != .never || !trackInflights else {
            return try await wait {
                start(target, endpoint, behavior, on: .global(), completion: $0)
            }.get()
        }
        let result: Result<Response, MoyaError>
        do throws(MoyaError) {
            let request = try await resolve(endpoint)
            if _Concurrency.Task.isCancelled { throw .cancelled }
            if behavior == .never {
                result = try await pipeline(target, endpoint).run(request)
            } else {
                // The main queue does not run in every program. An immediate stub needs no queue.
                let queue = behavior == .immediate ? callbackQueue : callbackQueue ?? .global()
                result = await wait {
                    stub(target, request, on: queue, endpoint, behavior, completion: $0)
                }
            }
        } catch {
            result = .failure(error)
        }
        // Whatever ended the request, plugins process the result.
        return try (plugins.isEmpty ? result : pipeline(target, endpoint).finish(result)).get()
    }

    /// Waits for the completion of what `start` starts.
    private func wait(
        for start: (@escaping Completion) -> any Cancellable
    ) async -> Result<Response, MoyaError> {
        let promise = Promise<Result<Response, MoyaError>>()
        let token = start(promise.fulfill)
        return await promise.value(onCancel: token.cancel)
    }

    /// The endpoint's request. Waits only if the request closure answers later.
    func resolve(_ endpoint: Endpoint) async throws(MoyaError) -> URLRequest {
        let promise = Promise<Result<URLRequest, MoyaError>>()
        requestClosure(endpoint, promise.fulfill)
        return try await promise.value(onCancel: { promise.fulfill(.failure(.cancelled)) }).get()
    }
}
