import Foundation

/// Describes decoding errors without values, which may be secret.
public enum DecodingPlace {
    /// Returns the cause and the coding path of the error.
    ///
    /// - Parameter document: Name of the decoded data, for data that is not JSON.
    public static func describe(
        _ error: DecodingError, in document: String = "the body"
    ) -> String {
        switch error {
        case .typeMismatch(let type, let context):
            "expected \(type) at \(path(context.codingPath))"
        case .valueNotFound(let type, let context):
            "expected \(type) at \(path(context.codingPath)), found null"
        case .keyNotFound(let key, let context):
            "no value for key \"\(path(context.codingPath + [key]))\""
        case .dataCorrupted(let context):
            isNotJSON(context)
                ? "\(document) is not valid JSON" : "invalid value at \(path(context.codingPath))"
        @unknown default: error.localizedDescription
        }
    }

    /// Whether the error is that of `JSONDecoder` for data that it cannot parse. Other decoders,
    /// and values that a type rejects, have other descriptions.
    private static func isNotJSON(_ context: DecodingError.Context) -> Bool {
        context.codingPath.isEmpty && context.debugDescription.contains("not valid JSON")
    }

    /// Returns the path with its keys joined by dots: `users[0].login`.
    static func path(_ keys: [any CodingKey]) -> String {
        let path = keys.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "the top level" : path
    }
}
