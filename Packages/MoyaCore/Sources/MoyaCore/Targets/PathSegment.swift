import Foundation
import MoyaInternals

extension DefaultStringInterpolation {
    /// Puts a value into a path as one segment: `"/users/\(segment: name)/repos"`.
    ///
    /// Everything but letters, digits, `-`, `.`, `_` and `~` is percent-encoded, so that a value
    /// with `/` or `?` in it cannot reach another resource. The values `.` and `..` would walk up the
    /// path: a request with one of them fails with ``MoyaError/requestMapping(_:)``.
    public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
        let text = value.description
        appendLiteral(
            text == "." || text == ".."
                ? text.replacingOccurrences(of: ".", with: "%2E") : PercentEncoding.segment(text))
    }

    /// Puts the raw value of `value` into a path as one segment.
    public mutating func appendInterpolation<Value: RawRepresentable>(segment value: Value)
    where Value.RawValue: CustomStringConvertible {
        appendInterpolation(segment: value.rawValue)
    }

    /// Puts the raw value of `value` into a path as one segment, not its description.
    public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(
        segment value: Value
    ) where Value.RawValue: CustomStringConvertible {
        appendInterpolation(segment: value.rawValue)
    }
}
