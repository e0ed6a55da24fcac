import Foundation
import MoyaCore

extension MoyaClock {
    /// Sleeps for `seconds`. Throws `URLError(.cancelled)` if the task is cancelled, as transports
    /// do.
    func pause(for seconds: TimeInterval) async throws(URLError) {
        do {
            try await sleep(for: seconds)
        } catch {
            throw URLError(.cancelled)
        }
    }
}

extension TimeInterval {
    /// The nearest integer within the range of `Int32`, so that it fits every platform's `Int`. 0
    /// for NaN.
    var whole: Int {
        guard !isNaN else { return 0 }
        return Int(Swift.min(Swift.max(self, TimeInterval(Int32.min)), TimeInterval(Int32.max)))
    }
}
