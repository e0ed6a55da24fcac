import Foundation

/// A number of seconds in a header field: digits alone (RFC 9111, section 1.2.2).
public enum DeltaSeconds {
    /// The seconds of `text`, or `nil` if it is no such number. More than fits 31 bits is as good as what does.
    public static func parse(_ text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(TimeInterval(text) ?? .infinity, TimeInterval(Int32.max))
    }
}
