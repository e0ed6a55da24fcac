import Foundation

/// Waits for the next element of `events`, or for their end.
///
/// - Throws: ``NeverMet`` after `seconds`; `CancellationError` if the test is cancelled.
public func waitForEvent<Event: Sendable>(
    in events: AsyncStream<Event>, within seconds: TimeInterval = 60,
    fileID: StaticString = #fileID, line: UInt = #line
) async throws {
    try await withCallback(within: seconds, fileID: fileID, line: line) { callback in
        Task {
            for await _ in events { break }
            callback.resume()
        }
    }
}
