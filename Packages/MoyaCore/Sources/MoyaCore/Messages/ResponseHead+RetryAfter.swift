import Foundation
import MoyaInternals

extension ResponseHead {
    /// Returns the delay of the `Retry-After` field (RFC 9110, section 10.2.3), in seconds from
    /// `now`. Never negative. `nil` without a valid field.
    public func retryAfter(at now: Date) -> TimeInterval? {
        guard let text = values(for: "Retry-After").first else { return nil }
        return DeltaSeconds.parse(text)
            ?? HTTPDate.parse(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
