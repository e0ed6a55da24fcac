import Foundation

/// The reason why parameters cannot be encoded.
public struct ParameterEncodingError: Error, Sendable, Equatable, LocalizedError,
    CustomStringConvertible
{
    /// The problem and its solution.
    public let description: String

    public var errorDescription: String? { description }

    static let missingURL = ParameterEncodingError(
        description: "The request has no URL for the query parameters. Set its url first.")

    static func unusableURL(_ url: URL) -> ParameterEncodingError {
        ParameterEncodingError(
            description:
                "The parameters cannot be added to the query of "
                + "\(Redaction.default.redact(url: url)), which is not a valid URL (RFC 3986).")
    }

    /// Maximum nesting depth of values. Encoding is recursive, so deeper values could overflow the
    /// stack.
    static let maximumDepth = 512

    static let tooDeep = ParameterEncodingError(
        description: "The value is nested deeper than \(maximumDepth) levels. Flatten it, or send "
            + "encoded data with .requestData.")

    static let openStep = ParameterEncodingError(
        description: "Foundation cannot write property lists in the OpenStep format. Use .xml or "
            + ".binary.")

    static func nestedInList(at path: String) -> ParameterEncodingError {
        ParameterEncodingError(
            description:
                "The array at \(path) contains an array or a dictionary, which a comma-separated "
                + "list cannot hold. Use another array encoding, or pass text.")
    }

    static func invalidDate(at path: String) -> ParameterEncodingError {
        ParameterEncodingError(description: "The date at \(path) is not finite.")
    }

    static func invalidJSON(at path: String, type: String) -> ParameterEncodingError {
        ParameterEncodingError(
            description:
                "The value at \(path) is of type \(type), which JSON cannot hold. Pass text, "
                + "finite numbers, booleans, NSNull, and arrays and dictionaries of them.")
    }

    static func invalidPropertyList(at path: String, type: String) -> ParameterEncodingError {
        ParameterEncodingError(
            description:
                "The value at \(path) is of type \(type), which a property list cannot hold. "
                + "Pass text, numbers, booleans, Date, Data, and arrays and dictionaries of them.")
    }
}

extension ParameterEncodingError {
    /// Calls `checkLeaf` for each value in `value` that is neither a dictionary nor an array, with
    /// its path. Throws if values are nested too deeply.
    static func check(
        _ value: Any, at path: String = "the top level", depth: Int = 0,
        leaf checkLeaf: (_ value: Any, _ path: String) throws(ParameterEncodingError) -> Void
    ) throws(ParameterEncodingError) {
        guard depth < maximumDepth else { throw .tooDeep }
        switch value {
        case let dictionary as [String: Any]:
            for (key, value) in dictionary {
                let place = depth == 0 ? "\"\(key)\"" : "\(path).\"\(key)\""
                try check(value, at: place, depth: depth + 1, leaf: checkLeaf)
            }
        case let array as [Any]:
            for (index, value) in array.enumerated() {
                try check(value, at: "\(path)[\(index)]", depth: depth + 1, leaf: checkLeaf)
            }
        default: try checkLeaf(value, path)
        }
    }
}
