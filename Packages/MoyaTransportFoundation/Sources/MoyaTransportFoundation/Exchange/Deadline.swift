import Foundation
import MoyaCore
import MoyaInternals

/// Deadline of a whole exchange.
struct Deadline: Sendable {
    let time: DispatchTime
    private let seconds: TimeInterval
    /// The deadline of the request, if it is the earlier one.
    private let own: RequestDeadline?

    /// - Parameters:
    ///   - seconds: Time from now. `nil`, and values that are not positive or exceed 30 years, set
    ///     no deadline.
    ///   - own: The deadline of the request.
    init?(_ seconds: TimeInterval?, _ own: RequestDeadline? = nil) {
        let timeout = seconds.flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
        let left = own.map(\.remaining) ?? .infinity
        self.seconds = min(timeout ?? .infinity, left)
        guard self.seconds < 1e9 else { return nil }
        self.own = left == self.seconds ? own : nil
        time = .now() + self.seconds
    }

    var nanosecondsLeft: UInt64 {
        let (left, isPast) = time.uptimeNanoseconds
            .subtractingReportingOverflow(DispatchTime.now().uptimeNanoseconds)
        return isPast ? 0 : left
    }

    /// Returns the error of an exchange that exceeds the deadline.
    func error(url: URL?) -> URLError {
        own?.error(url: url)
            ?? URLError(
                .timedOut,
                "The request exceeded its total timeout of \(SecondsFormat.text(seconds)).",
                url: url)
    }
}
