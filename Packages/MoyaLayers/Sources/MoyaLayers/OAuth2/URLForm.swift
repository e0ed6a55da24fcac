import Foundation
import MoyaCore
import MoyaInternals

/// Encodes `application/x-www-form-urlencoded` pairs. Escapes all characters but unreserved ones.
enum URLForm {
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
    }

    static func escape(_ text: String) -> String { PercentEncoding.segment(text) }
}
