import Foundation
import MoyaInternals

extension ResponseHead {
    /// The delay that `Retry-After` asks for (RFC 9110, section 10.2.3), in seconds after `now`. Never negative, `nil` without
    /// the field.
    public func retryAfter(at now: Date) -> TimeInterval? {
        guard let text = values(for: "Retry-After").first else { return nil }
        return DeltaSeconds.parse(text)
            ?? HTTPDate.parse(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
