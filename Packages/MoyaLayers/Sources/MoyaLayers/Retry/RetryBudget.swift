import MoyaCore
import MoyaInternals

/// Keeps retries a small part of the load, so that a server in trouble is not buried by them.
///
/// Every call adds `ratio` of a retry, every retry takes one, and no more than `reserve` are kept. So
/// however long the trouble lasts, there are at most `reserve` retries plus `ratio` for each call.
/// Share one budget between transports that reach the same server.
public final class RetryBudget: Sendable {
    private let ratio: Double
    private let reserve: Double
    private let balance: Locked<Double>

    /// - Parameters:
    ///   - ratio: How many retries each call pays for.
    ///   - reserve: How many retries there are at first, and at most.
    public init(ratio: Double = 0.2, reserve: Int = 10) {
        self.ratio = max(0, ratio)
        self.reserve = Double(max(0, reserve))
        balance = Locked(self.reserve)
    }

    func deposit() {
        balance.withLock { $0 = min(reserve, $0 + ratio) }
    }

    func withdraw() -> Bool {
        balance.withLock { balance in
            // A sum of fractions may be a little less than the whole number it stands for.
            guard balance > 1 - 1e-9 else { return false }
            balance = max(0, balance - 1)
            return true
        }
    }
}
