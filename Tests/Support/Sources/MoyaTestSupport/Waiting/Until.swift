import Foundation
import MoyaTesting

/// Polls `isMet` until it returns `true`, for `seconds` at most: each millisecond at first, and
/// less often the longer it takes, so that waiting tests leave the processor to others.
///
/// - Throws: The error of `isMet`; ``NeverMet`` after `seconds`; `CancellationError` if the test is
///   cancelled, for example at its time limit.
public func until(
    within seconds: TimeInterval = 60, fileID: StaticString = #fileID, line: UInt = #line,
    _ isMet: () async throws -> Bool
) async throws {
    let end = DispatchTime.now() + seconds
    var pause: UInt64 = 1_000_000
    while true {
        // Read before the condition is checked: a busy machine may suspend the task for long.
        let isLast = DispatchTime.now() >= end
        if try await isMet() { return }
        if isLast {
            throw NeverMet(seconds: seconds, place: SourcePlace(fileID: fileID, line: line))
        }
        try await Task.sleep(nanoseconds: pause)
        pause = min(pause + pause / 4, 20_000_000)
    }
}

/// The condition that a test waits for was not met within the time limit.
public struct NeverMet: Error, CustomStringConvertible {
    let seconds: TimeInterval
    let place: SourcePlace

    public var description: String {
        "\(place): condition not met within \(String(format: "%g", seconds)) s"
    }
}
