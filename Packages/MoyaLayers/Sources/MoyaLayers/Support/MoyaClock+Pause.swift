import Foundation
import MoyaCore

extension MoyaClock {
    /// Sleeps for a transport: a cancelled task fails as every exchange does.
    func pause(for seconds: TimeInterval) async throws(URLError) {
        do {
            try await sleep(for: seconds)
        } catch {
            throw URLError(.cancelled)
        }
    }
}

extension TimeInterval {
    /// The nearest whole number that every platform's `Int` can hold.
    var whole: Int {
        guard !isNaN else { return 0 }
        return Int(Swift.min(Swift.max(self, TimeInterval(Int32.min)), TimeInterval(Int32.max)))
    }
}
