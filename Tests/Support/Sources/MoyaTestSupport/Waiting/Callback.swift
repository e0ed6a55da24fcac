import Foundation
import MoyaCore
import MoyaInternals
import Testing

/// Receives the value of a completion handler in a test.
public struct Callback<Value: Sendable>: Sendable {
    fileprivate let values = Locked<[Value]>([])

    /// Makes ``withCallback(within:fileID:line:_:)`` return `value`. A second call records an
    /// issue.
    public func resume(returning value: Value) {
        let count = values.withLock { values in
            values.append(value)
            return values.count
        }
        if count > 1 { Issue.record("A completion handler was called more than once.") }
    }
}

extension Callback where Value == Void {
    /// Makes ``withCallback(within:fileID:line:_:)`` return.
    public func resume() { resume(returning: ()) }
}

/// Like `withCheckedContinuation`, with a time limit.
///
/// - Throws: ``NeverMet`` after `seconds`; `CancellationError` if the test is cancelled.
@discardableResult
public func withCallback<Value: Sendable>(
    within seconds: TimeInterval = 60, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (Callback<Value>) throws -> Void
) async throws -> Value {
    let callback = Callback<Value>()
    try body(callback)
    try await until(within: seconds, fileID: fileID, line: line) {
        callback.values.withLock { !$0.isEmpty }
    }
    let value = callback.values.withLock(\.first)
    return try #require(value)
}
