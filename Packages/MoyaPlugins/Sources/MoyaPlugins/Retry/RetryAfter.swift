import Foundation
import MoyaCore

/// The field `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// Seconds to wait from `now`, or `nil` where `head` does not say. Never negative.
    static func seconds(in head: ResponseHead, now: Date) -> TimeInterval? {
        guard let text = head.values(for: "Retry-After").first else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isNumber { return TimeInterval(text) }
        return HTTPDate.parse(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
