import MoyaCore
import MoyaInternals

/// Bounds retries to a fraction of the load, so that they do not overload a failing server.
///
/// Every call adds `ratio` of a retry to the budget, and every retry takes one. The budget holds at
/// most `reserve` retries. During an outage there are therefore at most `reserve` retries plus
/// `ratio` for each call. Share one budget between transports that reach the same server.
public final class RetryBudget: Sendable {
    private let ratio: Double
    private let reserve: Double
    private let balance: Locked<Double>

    /// - Parameters:
    ///   - ratio: Number of retries that each call adds.
    ///   - reserve: Initial and maximum number of retries in the budget.
    public init(ratio: Double = 0.2, reserve: Int = 10) {
        self.ratio = max(0, ratio)
        self.reserve = Double(max(0, reserve))
        balance = Locked(self.reserve)
    }

    func deposit() { add(ratio) }

    /// Returns a retry that did not take place.
    func giveBack() { add(1) }

    private func add(_ number: Double) {
        balance.withLock { $0 = min(reserve, $0 + number) }
    }

    func withdraw() -> Bool {
        balance.withLock { balance in
            // Rounding may leave the balance slightly below a whole number.
            guard balance > 1 - 1e-9 else { return false }
            balance = max(0, balance - 1)
            return true
        }
    }
}
