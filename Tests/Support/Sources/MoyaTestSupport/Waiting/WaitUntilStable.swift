import Foundation
import MoyaTesting

/// Polls `value` every 100 ms and returns it once six values in a row are equal. For states without
/// an event, such as a server that has stopped sending.
///
/// - Throws: The error of `value`; ``NeverMet`` after `seconds`; `CancellationError` if the test is
///   cancelled.
public func waitUntilStable<Value: Equatable>(
    within seconds: TimeInterval = 60, fileID: StaticString = #fileID, line: UInt = #line,
    _ value: () async throws -> Value
) async throws -> Value {
    let end = DispatchTime.now() + seconds
    var before: Value?
    var count = 0
    while DispatchTime.now() < end {
        try await Task.sleep(nanoseconds: 100_000_000)
        let now = try await value()
        count = now == before ? count + 1 : 0
        if count == 5 { return now }
        before = now
    }
    throw NeverMet(seconds: seconds, place: SourcePlace(fileID: fileID, line: line))
}
