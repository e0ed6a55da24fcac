import Foundation

/// Formats times for messages.
public enum SecondsFormat {
    /// Returns the time with its unit, without a fraction of zero: `10 s`, `0.3 s`.
    public static func text(_ seconds: TimeInterval) -> String {
        let number = "\(seconds)"
        return (number.hasSuffix(".0") ? String(number.dropLast(2)) : number) + " s"
    }
}
