import Foundation

/// What `value` is once it has not moved for a while: nobody tells when a server waits.
public func stillness<Value: Equatable>(
    of value: () async throws -> Value
) async throws -> Value {
    var before: Value?
    var count = 0
    while true {
        try await Task.sleep(nanoseconds: 100_000_000)
        let now = try await value()
        count = now == before ? count + 1 : 0
        if count == 5 { return now }
        before = now
    }
}
