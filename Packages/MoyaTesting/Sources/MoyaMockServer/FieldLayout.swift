import MoyaCore
import MoyaStubs

/// Serializes header fields in an unusual form with the same meaning.
///
/// - Changes the order of fields, except among fields of the same name (RFC 9110, section 5.3).
/// - Repeats `Connection: close`, which is a list (RFC 9110, section 7.6.1), and adds up to three
///   fields without a meaning. Does not repeat `Content-Length`, because a client may reject a
///   second field with the same value (RFC 9110, section 8.6).
/// - Folds some values onto a second line. A client must treat such a fold as spaces (RFC 9112,
///   section 5.2). Does not fold fields that the HTTP library evaluates itself: libcurl and
///   URLSession read these line by line and may treat a fold as an error.
struct FieldLayout {
    private static let acted: Set = [
        "authentication-info", "connection", "content-encoding", "content-length", "keep-alive",
        "location", "proxy-authenticate", "set-cookie", "trailer", "transfer-encoding", "upgrade",
        "www-authenticate",
    ]

    private var generator: SeededGenerator
    private let foldsFields: Bool

    init(_ generator: SeededGenerator, foldsFields: Bool = true) {
        self.generator = generator
        self.foldsFields = foldsFields
    }

    /// Returns the lines of `fields`, including CRLF.
    mutating func lines(_ fields: [HeaderField]) -> String {
        var fields = fields
        for number in 0..<Int.random(in: 0...3, using: &generator) {
            fields.append(HeaderField(name: "X-Conformance", value: "\(number)"))
        }
        if let close = fields.first(where: { $0.name == "Connection" }) { fields.append(close) }
        return reordered(fields).map { line($0) }.joined()
    }

    private mutating func reordered(_ fields: [HeaderField]) -> [HeaderField] {
        var ofName = Dictionary(grouping: fields) { $0.name.lowercased() }.mapValues { $0[...] }
        return fields.shuffled(using: &generator)
            .compactMap { ofName[$0.name.lowercased()]?.popFirst() }
    }

    private mutating func line(_ field: HeaderField) -> String {
        let isFolded =
            Int.random(in: 0..<4, using: &generator) == 0 && foldsFields && !field.value.isEmpty
            && !Self.acted.contains(field.name.lowercased())
        return "\(field.name):\(isFolded ? "\r\n" : "") \(field.value)\r\n"
    }
}
