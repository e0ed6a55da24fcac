import Foundation

extension RequestDeadline {
    private enum Event<Value: Sendable>: Sendable {
        case finished(Value)
        case passed
        /// The surrounding task was cancelled.
        case cancelled
    }

    /// Runs `work`, and cancels it when the deadline passes. For layers that wait.
    ///
    /// ```swift
    /// if let deadline = request.deadline {
    ///     try await deadline.run(for: request.urlRequest.url) { try await queue.wait() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the request, for the error.
    ///   - wasSent: For the error: see ``DeadlineError/wasSent``.
    ///   - discard: Called with a value that `work` returns although it was too late.
    /// - Throws: The error of `work`; ``error(url:_:wasSent:)`` if the deadline has passed or
    ///   passes first.
    public func run<Value: Sendable>(
        for url: URL? = nil, wasSent: Bool = true,
        discarding discard: @escaping @Sendable (Value) -> Void = { _ in },
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard remaining.isFinite else { return try await work() }
        guard !hasPassed else { throw error(url: url, wasSent: wasSent) }
        do {
            return try await withThrowingTaskGroup(of: Event<Value>.self) { group in
                defer { group.cancelAll() }
                group.addTask { .finished(try await work()) }
                group.addTask {
                    do {
                        try await clock.timeout(after: remaining)
                        return .passed
                    } catch {
                        return .cancelled
                    }
                }
                while let event = try await group.next() {
                    switch event {
                    case .finished(let value): return value
                    // `work` throws the cancellation.
                    case .cancelled: continue
                    case .passed:
                        group.cancelAll()
                        if case .finished(let late)? = try? await group.next() { discard(late) }
                        throw self.error(url: url, wasSent: wasSent)
                    }
                }
                throw URLError(.cancelled)
            }
        } catch {
            throw attributing(error, url: url, wasSent: wasSent)
        }
    }
}
