import Foundation
import MoyaCore
import MoyaInternals

/// Encodes and decodes `application/x-www-form-urlencoded` pairs. Escapes all characters but
/// unreserved ones.
enum URLForm {
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
    }

    static func escape(_ text: String) -> String { PercentEncoding.segment(text) }

    /// Returns the pairs of a form. Of pairs with the same name, the first counts. Pairs with
    /// invalid escapes are left out.
    static func decode(_ form: String) -> [String: String] {
        let pairs = form.split(separator: "&").compactMap { pair -> (String, String)? in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map {
                    $0.replacingOccurrences(of: "+", with: " ", options: .literal)
                        .removingPercentEncoding
                }
            guard halves.count == 2, let name = halves[0], let value = halves[1] else {
                return nil
            }
            return (name, value)
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
