import Foundation
@_spi(MoyaInternals) import MoyaCore

/// Runs `body` on a thread of its own, for what waits: Swift's tasks share a thread for each processor, and where as
/// many of them wait, none goes on.
public func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    // Handed over under a lock: what a continuation does is hidden from ThreadSanitizer.
    let result = Locked(Result<Value, any Error>.failure(CancellationError()))
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let outcome = Result { try body() }
            result.withLock { $0 = outcome }
            continuation.resume()
        }
    }
    return try result.withLock { $0 }.get()
}
