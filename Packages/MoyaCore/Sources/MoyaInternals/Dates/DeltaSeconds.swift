import Foundation

/// Durations in header fields: a decimal number of seconds (RFC 9111, section 1.2.2).
public enum DeltaSeconds {
    /// Returns the seconds of `text`, or `nil` if it is not a decimal number. At most
    /// 2,147,483,647.
    public static func parse(_ text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(TimeInterval(text) ?? .infinity, TimeInterval(Int32.max))
    }
}
