import Foundation

/// Describes decoding errors without values, which may be secret.
public enum DecodingPlace {
    /// Returns the expected type and the coding path of the error.
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
