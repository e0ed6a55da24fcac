import Foundation
@_spi(MoyaInternals) import MoyaCore
import Testing

/// Where a completion handler of a test leaves its value.
public struct Callback<Value: Sendable>: Sendable {
    fileprivate let values = Locked<[Value]>([])

    /// Ends the wait of ``withCallback(within:fileID:line:_:)``. A second call fails the test.
    public func resume(returning value: Value) {
        let count = values.withLock { values in
            values.append(value)
            return values.count
        }
        if count > 1 { Issue.record("A completion handler was called more than once.") }
    }
}

extension Callback where Value == Void {
    public func resume() { resume(returning: ()) }
}

/// Waits until `body` has the callback called, as `withCheckedContinuation` does, but not for ever: that would hold up all
/// other tests.
///
/// - Throws: ``NeverMet`` after `seconds`, `CancellationError` as soon as the test's own time is up.
@discardableResult
public func withCallback<Value: Sendable>(
    within seconds: TimeInterval = 60, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (Callback<Value>) throws -> Void
) async throws -> Value {
    let callback = Callback<Value>()
    try body(callback)
    while true {
        if let value = callback.values.withLock(\.first) { return value }
        try await until(within: seconds, fileID: fileID, line: line) {
            callback.values.withLock { !$0.isEmpty }
        }
    }
}
