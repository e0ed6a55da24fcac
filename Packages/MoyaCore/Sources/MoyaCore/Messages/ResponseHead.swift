import Foundation
import MoyaInternals

/// One header field of a message (RFC 9110, section 5).
public struct HeaderField: Sendable, Hashable {
    /// The field's name as it was received. Compare it without regard to case.
    public var name: String
    /// The field's value, without surrounding white space.
    public var value: String

    /// Takes both as they are. A field that no message can hold fails the request it is to be sent with.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension Sequence<HeaderField> {
    /// The values of the fields `name`, compared without regard to case: one for each field line.
    public func values(for name: String) -> [String] {
        let name = name.lowercased()
        return filter { $0.name.lowercased() == name }.map(\.value)
    }
}

/// Status, header fields and final URL of a response.
///
/// The header fields are parsed on first use: most callers only look at
/// the status and the body, and making an `HTTPURLResponse` can cost more than the exchange.
public final class ResponseHead: Sendable {
    /// The status code (RFC 9110, section 15).
    public let statusCode: Int
    /// The URL that answered, after redirects.
    public let url: URL
    /// The protocol version as in a status line: `HTTP/1.1`, `HTTP/2`.
    public let httpVersion: String

    private enum Source {
        case raw(Data)
        case fields([HeaderField])
        case urlResponse(HTTPURLResponse)
    }

    private struct Parsed {
        var fields: [HeaderField]?
        var urlResponse: HTTPURLResponse?
    }

    private let source: Source
    private let parsed = Locked(Parsed())

    /// A head whose fields are parsed later out of `rawFields`: lines `name: value` that end
    /// in LF or CRLF. Lines that are no field are passed over, so a status line may come first.
    ///
    /// A value that is no UTF-8 is read as ISO 8859-1 (RFC 9110, section 5.5). CR and NUL within a value become spaces, as
    /// that section has it.
    public init(statusCode: Int, url: URL, httpVersion: String, rawFields: Data) {
        self.statusCode = statusCode
        self.url = url
        self.httpVersion = httpVersion
        source = .raw(rawFields)
    }

    /// A head with these fields, in the order received.
    public init(
        statusCode: Int, url: URL, httpVersion: String = "HTTP/1.1", fields: [HeaderField] = []
    ) {
        self.statusCode = statusCode
        self.url = url
        self.httpVersion = httpVersion
        source = .fields(fields)
    }

    /// The head of `response`. `fallbackURL` stands in where the response has no URL.
    public init(_ response: HTTPURLResponse, fallbackURL: URL, httpVersion: String = "HTTP/1.1") {
        statusCode = response.statusCode
        url = response.url ?? fallbackURL
        self.httpVersion = httpVersion
        source = .urlResponse(response)
    }

    /// The header fields, in the order received where the transport knows it.
    public var fields: [HeaderField] {
        parsed.withLock { parsed in
            if let fields = parsed.fields { return fields }
            let fields = makeFields()
            parsed.fields = fields
            return fields
        }
    }

    /// The value of the field `name`, compared without regard to case. Several fields of that
    /// name are joined with a comma, as RFC 9110, section 5.3 has it.
    public func value(for name: String) -> String? {
        let values = values(for: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The values of every field `name`, one for each field line.
    public func values(for name: String) -> [String] {
        fields.values(for: name)
    }

    /// Whether status, URL and header fields are the same. `HTTPURLResponse` does not compare its fields on Linux. The
    /// protocol version does not count: one made of Foundation's type has none.
    func isEqual(to other: ResponseHead) -> Bool {
        self === other
            || statusCode == other.statusCode && url == other.url
                && HeaderField.byLowercasedName(fields)
                    == HeaderField.byLowercasedName(other.fields)
    }

    /// This head as Foundation's type. `nil` only if Foundation refuses to make one.
    public var urlResponse: HTTPURLResponse? {
        if case .urlResponse(let response) = source { return response }
        let fields = fields
        return parsed.withLock { parsed in
            if let response = parsed.urlResponse { return response }
            let response = HTTPURLResponse(
                url: url, statusCode: statusCode, httpVersion: httpVersion,
                headerFields: HeaderField.joined(fields))
            parsed.urlResponse = response
            return response
        }
    }

    private func makeFields() -> [HeaderField] {
        switch source {
        case .fields(let fields): return fields
        case .raw(let data): return HeaderField.parse(data)
        case .urlResponse(let response):
            return response.allHeaderFields
                .map { name, value in
                    // Not every platform trims the names and the values.
                    HeaderField(
                        name: "\(name)".trimmingCharacters(in: .whitespaces),
                        value: HeaderField.text(Data("\(value)".utf8)))
                }
                .sorted { $0.name < $1.name }
        }
    }
}

extension HeaderField {
    /// The fields in the lines of a head. Lines that are no field are left out, with what is folded onto them.
    static func parse(_ data: Data) -> [HeaderField] {
        var fields: [HeaderField] = []
        var isFoldable = false
        for line in data.split(separator: UInt8(ascii: "\n")) {
            if line.first.map(isBlank) == true {
                // A folded line goes on with the value before it (RFC 9112, section 5.2).
                guard isFoldable, let last = fields.indices.last else { continue }
                fields[last].value =
                    [fields[last].value, text(line)].filter { !$0.isEmpty }.joined(separator: " ")
            } else if let field = field(in: line) {
                fields.append(field)
                isFoldable = true
            } else {
                isFoldable = false
            }
        }
        return fields
    }

    /// The field of a line. White space before the colon is no part of the name (RFC 9112, section 5.1): with it,
    /// the name of a secret would not be recognised.
    private static func field(in line: Data) -> HeaderField? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var name = line[..<colon]
        while name.last.map(isBlank) == true { name = name.dropLast() }
        guard !name.isEmpty, name.allSatisfy(HTTPToken.isTokenCharacter) else { return nil }
        return HeaderField(
            name: String(decoding: name, as: UTF8.self), value: text(line[(colon + 1)...]))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// The value in `bytes`. RFC 9110, section 5.5: the white space around it is no part of it, obsolete text may be in
    /// ISO 8859-1, and what could end the field elsewhere becomes a space.
    fileprivate static func text(_ bytes: Data) -> String {
        var bytes = bytes
        while bytes.first.map(isEdge) == true { bytes = bytes.dropFirst() }
        while bytes.last.map(isEdge) == true { bytes = bytes.dropLast() }
        if bytes.contains(where: isLineEnd) {
            bytes = Data(bytes.map { isLineEnd($0) ? UInt8(ascii: " ") : $0 })
        }
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(data: bytes, encoding: .utf8)
            ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    private static func isEdge(_ byte: UInt8) -> Bool { isBlank(byte) || isLineEnd(byte) }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") || byte == 0
    }

    fileprivate static func byLowercasedName(_ fields: [HeaderField]) -> [String: String] {
        Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }

    /// The values by name, those of one name joined with a comma. Foundation keeps one of several names that differ in
    /// case alone, so the first of them stands for all.
    fileprivate static func joined(_ fields: [HeaderField]) -> [String: String] {
        var names: [String: String] = [:]
        var headers: [String: String] = [:]
        for field in fields {
            let name = names[field.name.lowercased(), default: field.name]
            names[field.name.lowercased()] = name
            headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return headers
    }
}
