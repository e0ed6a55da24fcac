import Foundation

/// Runs blocking code on a thread of its own, because Swift's tasks share one thread per processor.
///
/// A thread cannot be cancelled: after an error it goes on until `body` returns.
///
/// - Throws: What `body` throws, ``NeverMet`` after `seconds`, `CancellationError` as soon as the test's own time is up.
public func onThread<Value: Sendable>(
    within seconds: TimeInterval = 60, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCallback(within: seconds, fileID: fileID, line: line) { callback in
        Thread.detachNewThread { callback.resume(returning: Result { try body() }) }
    }.get()
}
