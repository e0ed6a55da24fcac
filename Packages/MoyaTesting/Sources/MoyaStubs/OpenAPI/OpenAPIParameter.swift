import Foundation
import MoyaCore

/// A parameter of an ``OpenAPIOperation``: in the path, the query, a header field or a cookie.
struct OpenAPIParameter {
    let name: String
    /// `path`, `query`, `header` or `cookie`.
    let location: String
    private let value: JSONValue

    init?(_ value: JSONValue) {
        guard let name = value["name"]?.text, let location = value["in"]?.text else { return nil }
        self.name = name
        self.location = location
        self.value = value
    }

    var isRequired: Bool { value["required"] == .bool(true) }
    var schema: JSONValue { value["schema"] ?? [:] }

    /// Whether the parameter describes a field that has its own rules in OpenAPI.
    private var isReserved: Bool {
        location == "header"
            && ["accept", "content-type", "authorization"].contains(name.lowercased())
    }

    /// Returns what is wrong with the parameter in a request, as sentences.
    ///
    /// - Parameters:
    ///   - texts: The decoded texts of the parameter, one for each occurrence.
    ///   - operation: For messages.
    func problems(
        with texts: [String], of operation: OpenAPIOperation, in root: JSONValue
    ) -> [String] {
        let type = JSONSchema.types(of: JSONSchema.resolved(schema, in: root))
        // The members of an object are parameters of their own, or have brackets in their names.
        guard !isReserved, !type.contains("object"), value["content"] == nil else { return [] }
        guard !texts.isEmpty else {
            let place = location == "cookie" ? "request" : location
            return isRequired
                ? ["The \(place) lacks \"\(name)\", which \(operation) requires."] : []
        }
        let place = "The \(location) parameter \"\(name)\""
        let checker = JSONSchema(schema, in: root, direction: .request)
        guard type.contains("array") else {
            return texts.flatMap { checker.problems(withText: $0, at: place) }
        }
        let items = JSONSchema.resolved(schema, in: root)["items"] ?? [:]
        let elements = texts.flatMap(split)
        return checker.problems(
            with: .array(
                elements.map { JSONSchema(items, in: root, direction: .request).value(ofText: $0) }
            ), at: place)
    }

    /// Splits the text of an array, as its style says.
    private func split(_ text: String) -> [String] {
        let style = value["style"]?.text ?? (location == "query" ? "form" : "simple")
        let isExploded = value["explode"].map { $0 == .bool(true) } ?? (style == "form")
        let separator: Character? =
            switch style {
            case "spaceDelimited": " "
            case "pipeDelimited": "|"
            case "form" where isExploded && location == "query": nil
            default: ","
            }
        return separator.map { text.split(separator: $0).map(String.init) } ?? [text]
    }
}

extension JSONSchema {
    /// Returns the value that `text` stands for: of its readings as a number, a Boolean and a
    /// string, the first that fits the schema, or else the first.
    func value(ofText text: String) -> JSONValue {
        var readings: [JSONValue] = [.string(text)]
        if let number = Double(text), number.isFinite { readings.insert(.number(number), at: 0) }
        if text == "true" || text == "false" { readings.insert(.bool(text == "true"), at: 0) }
        return readings.first { problems(with: $0).isEmpty } ?? readings[0]
    }

    func problems(withText text: String, at place: String) -> [String] {
        problems(with: value(ofText: text), at: place)
    }
}
