import Foundation
import MoyaInternals

extension DefaultStringInterpolation {
    /// Appends `value` to a path as one segment: `"/users/\(segment: name)/repos"`.
    ///
    /// Every character except letters, digits, `-`, `.`, `_` and `~` is percent-encoded, so a value
    /// that contains `/` or `?` cannot address another resource. A request whose path contains the
    /// value `.` or `..` fails with ``MoyaError/requestMapping(_:)``, because these segments would
    /// change the path.
    public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
        let text = value.description
        appendLiteral(
            text == "." || text == ".."
                ? text.replacingOccurrences(of: ".", with: "%2E") : PercentEncoding.segment(text))
    }

    /// Appends the raw value of `value` to a path as one segment.
    public mutating func appendInterpolation<Value: RawRepresentable>(segment value: Value)
    where Value.RawValue: CustomStringConvertible {
        appendInterpolation(segment: value.rawValue)
    }

    /// Appends the raw value of `value`, not its description, to a path as one segment.
    public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(
        segment value: Value
    ) where Value.RawValue: CustomStringConvertible {
        appendInterpolation(segment: value.rawValue)
    }

    /// Appends `path` to a path as one or more segments, which its slashes separate:
    /// `"/repos/moya/contents/\(segments: "docs/README.md")"`.
    ///
    /// Every segment is percent-encoded like `\(segment:)`. A request whose `path` has a segment
    /// `.` or `..` fails with ``MoyaError/requestMapping(_:)``.
    public mutating func appendInterpolation(segments path: some StringProtocol) {
        for (index, segment) in path.split(separator: "/", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { appendLiteral("/") }
            appendInterpolation(segment: segment)
        }
    }
}
