import Foundation
import MoyaCore
import MoyaInternals

/// A request exceeded a layer's deadline. It is the underlying error of the thrown
/// `URLError(.timedOut)`.
public struct DeadlineError: Error, Equatable, LocalizedError {
    /// The deadline, in seconds.
    public let seconds: TimeInterval

    /// The deadline that was exceeded.
    public var errorDescription: String? {
        "The request exceeded its total timeout of \(SecondsFormat.text(seconds))."
    }
}

private enum DeadlineEvent: Sendable {
    case answered(TransportResponse)
    case elapsed
    case cancelled
}

/// Runs `exchange`, and cancels it after `seconds`. `nil` means no deadline.
///
/// - Throws: The error of `exchange`, or `URLError(.timedOut)` with a ``DeadlineError`` as its
///   underlying error.
func withDeadline(
    _ seconds: TimeInterval?, clock: any MoyaClock, url: URL?,
    exchange: @escaping @Sendable () async throws -> TransportResponse
) async throws -> TransportResponse {
    guard let seconds, seconds.isFinite else { return try await exchange() }
    return try await withThrowingTaskGroup(of: DeadlineEvent.self) { group in
        defer { group.cancelAll() }
        group.addTask { .answered(try await exchange()) }
        group.addTask {
            do {
                try await clock.sleep(for: seconds)
                return .elapsed
            } catch {
                return .cancelled
            }
        }
        while let event = try await group.next() {
            switch event {
            case .answered(let response): return response
            // The surrounding task was cancelled. `exchange` throws the cancellation error.
            case .cancelled: continue
            case .elapsed:
                group.cancelAll()
                // Discards a response that arrives after the deadline, which releases its file or
                // stream.
                if case .answered(let late)? = try? await group.next() { late.discard() }
                let error = DeadlineError(seconds: seconds)
                throw URLError(
                    .timedOut, error.errorDescription ?? "", url: url, cause: error)
            }
        }
        throw URLError(.cancelled)
    }
}
