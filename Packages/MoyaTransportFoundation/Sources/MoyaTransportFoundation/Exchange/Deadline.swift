import Foundation

/// The moment by which a whole exchange has to be over.
struct Deadline: Sendable {
    let time: DispatchTime
    let seconds: TimeInterval

    /// - Parameter seconds: From now. `nil`, what is no number of seconds and more than 30 years bound nothing.
    init?(_ seconds: TimeInterval?) {
        guard let seconds, seconds > 0, seconds < 1e9 else { return nil }
        self.seconds = seconds
        time = .now() + seconds
    }
}
