import Foundation
import MoyaCore

extension JSONValue {
    /// Returns the differences between this value and `expected`, each with its path, sorted by
    /// field name: `$.users[2].name is "Ash", not "Misty"`. Values of secret fields are masked.
    ///
    /// - Parameters:
    ///   - expected: The expected value.
    ///   - allowsMore: Whether objects may have fields that `expected` lacks.
    public func differences(from expected: JSONValue, allowsMore: Bool = false) -> [String] {
        var comparison = JSONComparison(allowsMore: allowsMore)
        comparison.compare(self, expected, at: .init())
        return comparison.differences
    }

    /// The value as JSON with sorted keys, limited to 200 characters. Secrets are masked.
    var shownText: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return "\(self)" }
        let text = String(decoding: Redaction.default.redact(body: data), as: UTF8.self)
        return text.count > 200 ? "\(text.prefix(200))…" : text
    }
}

private struct JSONComparison {
    struct Place {
        var path = "$"
        var isSecret = false

        func field(_ name: String) -> Place {
            let isPlain =
                !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            return Place(
                path: isPlain ? "\(path).\(name)" : "\(path)[\"\(name)\"]",
                isSecret: isSecret || Redaction.default.isSecretMember(name))
        }

        func element(_ index: Int) -> Place {
            Place(path: "\(path)[\(index)]", isSecret: isSecret)
        }

        func text(of value: JSONValue) -> String { isSecret ? Redaction.mask : value.shownText }
    }

    let allowsMore: Bool
    private(set) var differences: [String] = []

    mutating func compare(_ actual: JSONValue, _ expected: JSONValue, at place: Place) {
        switch (actual, expected) {
        case (.object(let actual), .object(let expected)): compare(actual, expected, at: place)
        case (.array(let actual), .array(let expected)):
            for (index, pair) in zip(actual, expected).enumerated() {
                compare(pair.0, pair.1, at: place.element(index))
            }
            if actual.count != expected.count {
                note(place, "has \(actual.count) elements, not \(expected.count)")
            }
        default:
            guard actual != expected else { return }
            note(place, "is \(place.text(of: actual)), not \(place.text(of: expected))")
        }
    }

    private mutating func compare(
        _ actual: [String: JSONValue], _ expected: [String: JSONValue], at place: Place
    ) {
        for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
            let field = place.field(name)
            if let found = actual[name] {
                compare(found, value, at: field)
            } else {
                note(field, "is missing: \(field.text(of: value))")
            }
        }
        guard !allowsMore else { return }
        for (name, value) in actual.sorted(by: { $0.key < $1.key }) where expected[name] == nil {
            let field = place.field(name)
            note(field, "is one too many: \(field.text(of: value))")
        }
    }

    private mutating func note(_ place: Place, _ reason: String) {
        differences.append("\(place.path) \(reason)")
    }
}
