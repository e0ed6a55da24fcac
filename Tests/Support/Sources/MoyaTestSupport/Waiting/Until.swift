import Foundation
import MoyaTesting

/// Polls `isMet` every millisecond. Throws after `seconds`, so that one stuck test does not block the run.
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
        try await Task.sleep(nanoseconds: 1_000_000)
    }
}

/// A condition that a test has waited for was not met in time.
public struct NeverMet: Error, CustomStringConvertible {
    let seconds: TimeInterval
    let place: SourcePlace

    public var description: String {
        "\(place): condition not met within \(String(format: "%g", seconds)) s"
    }
}
