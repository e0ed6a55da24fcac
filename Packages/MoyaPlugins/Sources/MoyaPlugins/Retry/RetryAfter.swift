import Foundation
import MoyaCore

/// The field `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// Seconds to wait from `now`, or `nil` where `head` does not say. Never negative.
    static func seconds(in head: ResponseHead, now: Date) -> TimeInterval? {
        guard let text = head.values(for: "Retry-After").first else { return nil }
        if let seconds = CacheControl.seconds(text) { return seconds }
        return HTTPDate.parse(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
