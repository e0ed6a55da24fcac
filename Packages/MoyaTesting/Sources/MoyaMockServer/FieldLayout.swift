import MoyaCore
import MoyaStubs

/// Writes header fields in another form that means the same.
///
/// - Fields change places. Those of one name stay in order (RFC 9110, section 5.3).
/// - `Connection: close` comes twice: it is a list (RFC 9110, section 7.6.1). A field without a meaning comes up to three
///   times. `Content-Length` comes once, since a client may refuse a second one of the same value (RFC 9110, section 8.6).
/// - Some values begin on a line of their own. A client has to take such a fold for spaces (RFC 9112, section 5.2). Fields that
///   a client acts on before a transport sees them are not folded: libcurl and URLSession read them line by line, and
///   a fold in them is a server's mistake that may be an error.
struct FieldLayout {
    private static let acted: Set = [
        "authentication-info", "connection", "content-encoding", "content-length", "keep-alive",
        "location",
        "proxy-authenticate", "set-cookie", "trailer", "transfer-encoding", "upgrade",
        "www-authenticate",
    ]

    private var generator: SeededGenerator

    private let foldsFields: Bool

    init(_ generator: SeededGenerator, foldsFields: Bool = true) {
        self.generator = generator
        self.foldsFields = foldsFields
    }

    /// The lines of `fields`, CRLF included.
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
