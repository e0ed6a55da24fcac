import Foundation

/// Runs blocking code on a new thread, because Swift's tasks share one thread per processor.
///
/// A thread cannot be cancelled: after a timeout it continues until `body` returns.
///
/// - Throws: The error of `body`; ``NeverMet`` after `seconds`; `CancellationError` if the test is
///   cancelled.
public func onThread<Value: Sendable>(
    within seconds: TimeInterval = 60, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCallback(within: seconds, fileID: fileID, line: line) { callback in
        Thread.detachNewThread { callback.resume(returning: Result { try body() }) }
    }.get()
}
