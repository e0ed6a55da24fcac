import Foundation
import MoyaCore

/// An exchange took longer than a layer allows. Inside the `URLError(.timedOut)` it fails with.
public struct DeadlineError: Error, Equatable, LocalizedError {
    /// How long it was allowed to take, in seconds.
    public let seconds: TimeInterval

    public var errorDescription: String? {
        "The exchange was not over after the \(seconds) seconds it was given."
    }
}

private enum DeadlineEvent: Sendable {
    case answered(TransportResponse)
    case elapsed
    case cancelled
}

/// Runs `exchange` and ends it after `seconds`. `nil` means no limit.
///
/// - Throws: What `exchange` throws; `URLError(.timedOut)` with a ``DeadlineError`` inside.
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
            // The exchange is cancelled with us, and says so itself.
            case .cancelled: continue
            case .elapsed:
                group.cancelAll()
                // A response that still arrives is not used: its file or stream is released.
                if case .answered(let late)? = try? await group.next() { late.discard() }
                let error = DeadlineError(seconds: seconds)
                throw URLError(
                    .timedOut, error.errorDescription ?? "", url: url, cause: error)
            }
        }
        throw URLError(.cancelled)
    }
}
