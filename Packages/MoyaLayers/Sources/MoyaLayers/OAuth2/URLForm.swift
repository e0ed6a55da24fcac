import Foundation
import MoyaCore
import MoyaInternals

/// Names and values as `application/x-www-form-urlencoded`, everything but unreserved characters escaped.
enum URLForm {
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
    }

    static func escape(_ text: String) -> String { PercentEncoding.segment(text) }
}
