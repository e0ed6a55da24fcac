import Foundation

/// Describes errors of decoding without showing a value.
public enum DecodingPlace {
    /// Which type was expected, and the path to where it was missing.
    public static func describe(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context):
            "expected \(type) at \(path(context.codingPath))"
        case .valueNotFound(let type, let context):
            "expected \(type) at \(path(context.codingPath)), found null"
        case .keyNotFound(let key, let context):
            "found nothing at \(path(context.codingPath + [key]))"
        case .dataCorrupted(let context):
            "cannot decode what is at \(path(context.codingPath))"
        @unknown default: error.localizedDescription
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        let path = keys.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "the top" : path
    }
}
