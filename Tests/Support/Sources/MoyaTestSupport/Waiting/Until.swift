import Foundation
import MoyaTesting

/// Waits for what nobody tells about, and looks again and again. What never comes is an error: a test that looks for
/// ever would hold up all others.
///
/// - Throws: ``NeverMet`` after `seconds`, `CancellationError` as soon as the test's own time is up.
public func until(
    within seconds: TimeInterval = 60, fileID: StaticString = #fileID, line: UInt = #line,
    _ isMet: () async throws -> Bool
) async throws {
    let end = DispatchTime.now() + seconds
    while try await !isMet() {
        guard DispatchTime.now() < end else {
            throw NeverMet(seconds: seconds, place: SourcePlace(fileID: fileID, line: line))
        }
        // Leaves the processor to those who are waited for.
        try await Task.sleep(nanoseconds: 1_000_000)
    }
}

/// What a test has waited for, and did not come.
public struct NeverMet: Error, CustomStringConvertible {
    let seconds: TimeInterval
    let place: SourcePlace

    public var description: String { "\(place): not so after \(seconds) s" }
}
