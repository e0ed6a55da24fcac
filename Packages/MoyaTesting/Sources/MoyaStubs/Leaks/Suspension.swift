import Foundation

/// Waits until somebody resumes the continuation, or until the task is cancelled.
///
/// - Parameters:
///   - begin: Keeps the continuation under the identifier it is given. Returns whether there is anything to wait for.
///   - giveUp: Gives back what is kept under an identifier, unless somebody has taken it to resume it.
/// - Throws: `CancellationError` as soon as the task is cancelled.
func suspend(
    _ begin: (UUID, CheckedContinuation<Void, any Error>) -> Bool,
    giveUp: @Sendable (UUID) -> CheckedContinuation<Void, any Error>?
) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            guard begin(id, continuation) else { return continuation.resume() }
            // Whoever was cancelled before is told so here: by then there was nothing to give up.
            if Task.isCancelled { giveUp(id)?.resume(throwing: CancellationError()) }
        }
    } onCancel: {
        giveUp(id)?.resume(throwing: CancellationError())
    }
}
