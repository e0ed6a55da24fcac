import Foundation

/// Suspends until the continuation is resumed or the task is cancelled.
///
/// - Parameters:
///   - cancellation: Thrown when the task is cancelled.
///   - begin: Stores the continuation under the identifier, or returns a result immediately.
///   - giveUp: Removes and returns the continuation of an identifier. `nil` if it was removed to be
///     resumed.
public func suspend<Value: Sendable>(
    throwing cancellation: any Error = CancellationError(),
    _ begin: (UUID, CheckedContinuation<Value, any Error>) -> Result<Value, any Error>?,
    giveUp: @Sendable (UUID) -> CheckedContinuation<Value, any Error>?
) async throws -> Value {
    let id = RandomID.uuid()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            if let result = begin(id, continuation) { return continuation.resume(with: result) }
            // If the task was cancelled before `begin`, the cancellation handler has already run
            // and found no continuation.
            if Task.isCancelled { giveUp(id)?.resume(throwing: cancellation) }
        }
    } onCancel: {
        giveUp(id)?.resume(throwing: cancellation)
    }
}
