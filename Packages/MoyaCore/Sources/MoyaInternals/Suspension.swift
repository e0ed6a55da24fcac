import Foundation

/// Waits until the continuation is resumed, or until the task is cancelled.
///
/// - Parameters:
///   - cancellation: What is thrown as soon as the task is cancelled.
///   - begin: Stores the continuation under the identifier, unless it returns a result at once.
///   - giveUp: Takes the continuation that is stored under an identifier. `nil` where it was taken to be resumed.
public func suspend<Value: Sendable>(
    throwing cancellation: any Error = CancellationError(),
    _ begin: (UUID, CheckedContinuation<Value, any Error>) -> Result<Value, any Error>?,
    giveUp: @Sendable (UUID) -> CheckedContinuation<Value, any Error>?
) async throws -> Value {
    let id = UUID()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            if let result = begin(id, continuation) { return continuation.resume(with: result) }
            // The cancellation handler found nothing to give up where it ran before.
            if Task.isCancelled { giveUp(id)?.resume(throwing: cancellation) }
        }
    } onCancel: {
        giveUp(id)?.resume(throwing: cancellation)
    }
}
