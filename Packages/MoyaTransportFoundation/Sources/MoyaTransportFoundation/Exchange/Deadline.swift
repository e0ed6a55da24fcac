import Foundation
import MoyaCore
import MoyaInternals

/// Deadline of a whole exchange.
struct Deadline: Sendable {
    let time: DispatchTime
    private let seconds: TimeInterval

    /// - Parameter seconds: Time from now. `nil` and values that are not positive or exceed 30
    ///   years return `nil`.
    init?(_ seconds: TimeInterval?) {
        guard let seconds, seconds > 0, seconds < 1e9 else { return nil }
        self.seconds = seconds
        time = .now() + seconds
    }

    var nanosecondsLeft: UInt64 {
        let (left, isPast) = time.uptimeNanoseconds
            .subtractingReportingOverflow(DispatchTime.now().uptimeNanoseconds)
        return isPast ? 0 : left
    }

    /// Returns the error of an exchange that exceeds the deadline.
    func error(url: URL?) -> URLError {
        URLError(
            .timedOut,
            "The request exceeded its total timeout of \(SecondsFormat.text(seconds)).", url: url)
    }
}
