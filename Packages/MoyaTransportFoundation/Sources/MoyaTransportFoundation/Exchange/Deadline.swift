import Foundation
import MoyaCore

/// The moment by which a whole exchange has to be over.
struct Deadline: Sendable {
    let time: DispatchTime
    private let seconds: TimeInterval

    /// - Parameter seconds: From now. `nil`, what is no number of seconds and more than 30 years bound nothing.
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

    /// What an exchange fails with that is not over by then.
    func error(url: URL?) -> URLError {
        URLError(.timedOut, "The exchange was not over after \(seconds) seconds.", url: url)
    }
}
