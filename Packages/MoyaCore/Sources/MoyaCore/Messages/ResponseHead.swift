import Foundation
import MoyaInternals

/// A header field or trailer field of a message (RFC 9110, section 5).
public struct HeaderField: Sendable, Hashable {
    /// The field's name as received. Compare it without regard to case.
    public var name: String
    /// The field's value, without leading and trailing white space.
    public var value: String

    /// Creates a field without validating it. A request with an invalid field fails when it is
    /// sent.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Returns the header fields of a request, sorted by name.
    static func sorted(_ fields: [String: String]?) -> [HeaderField] {
        (fields ?? [:]).map(HeaderField.init).sorted { $0.name < $1.name }
    }
}

extension Sequence<HeaderField> {
    /// Returns the values of the fields `name`, compared without regard to case. One value per
    /// field line.
    public func values(for name: String) -> [String] {
        var values: [String] = []
        for field in self where field.name.isEqualIgnoringCase(to: name) {
            values.append(field.value)
        }
        return values
    }
}

/// Status code, header fields and final URL of a response.
///
/// Header fields are parsed on first access, because most callers read only the status code and the
/// body. The `HTTPURLResponse` is also created on first access: creating it can cost more than the
/// exchange.
public final class ResponseHead: Sendable {
    /// The status code (RFC 9110, section 15).
    public let statusCode: Int
    /// The URL of the response, after redirects.
    public let url: URL
    /// The protocol version as in a status line: `HTTP/1.1`, `HTTP/2`.
    public let httpVersion: String

    private enum Source {
        case raw([UInt8])
        case fields([HeaderField])
        case urlResponse(HTTPURLResponse)
    }

    private struct Parsed {
        var fields: [HeaderField]?
        var urlResponse: HTTPURLResponse?
    }

    private let source: Source
    // Safe: accessed with the lock of this object only.
    private nonisolated(unsafe) var parsed = Parsed()

    /// Creates a head whose fields are parsed from `rawFields` on first access: lines `name: value`
    /// that end with LF or CRLF. Lines that are not fields are ignored, including a status line.
    ///
    /// Values that are not UTF-8 are decoded as ISO 8859-1. CR and NUL within a value are replaced
    /// by spaces (both RFC 9110, section 5.5).
    public convenience init(statusCode: Int, url: URL, httpVersion: String, rawFields: Data) {
        self.init(
            statusCode: statusCode, url: url, httpVersion: httpVersion, rawFields: Array(rawFields))
    }

    /// Creates the same head from bytes in an array, which cost an allocation less than `Data`.
    public init(statusCode: Int, url: URL, httpVersion: String, rawFields: [UInt8]) {
        self.statusCode = statusCode
        self.url = url
        self.httpVersion = httpVersion
        source = .raw(rawFields)
    }

    /// Creates a head with fields in the order received.
    public init(
        statusCode: Int, url: URL, httpVersion: String = "HTTP/1.1", fields: [HeaderField] = []
    ) {
        self.statusCode = statusCode
        self.url = url
        self.httpVersion = httpVersion
        source = .fields(fields)
    }

    /// Creates the head of `response`, with `fallbackURL` if the response has no URL.
    public init(_ response: HTTPURLResponse, fallbackURL: URL, httpVersion: String = "HTTP/1.1") {
        statusCode = response.statusCode
        url = response.url ?? fallbackURL
        self.httpVersion = httpVersion
        source = .urlResponse(response)
    }

    /// The header fields, in the order received if the transport preserves it.
    public var fields: [HeaderField] {
        if let known = SharedLocks.withLock(of: self, { parsed.fields }) { return known }
        let made = makeFields()
        return SharedLocks.withLock(of: self) {
            let fields = parsed.fields ?? made
            parsed.fields = fields
            return fields
        }
    }

    /// Returns the value of the field `name`, compared without regard to case. Values of several
    /// fields are joined with a comma (RFC 9110, section 5.3).
    public func value(for name: String) -> String? {
        let values = values(for: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the values of the fields `name`, compared without regard to case. One value per
    /// field line.
    public func values(for name: String) -> [String] {
        // Only the fields of this name are decoded: a layer that looks up one name would otherwise
        // pay for all of them.
        guard case .raw(let bytes) = source,
            SharedLocks.withLock(of: self, { parsed.fields == nil })
        else { return fields.values(for: name) }
        return bytes.withUnsafeBytes { HeaderField.parse($0, only: name) }.map(\.value)
    }

    /// Returns this head with `field`, which must be valid, as its last field. Fields that are not
    /// parsed yet stay so.
    @_spi(MoyaInternals)
    public func appending(_ field: HeaderField) -> ResponseHead {
        guard case .raw(let raw) = source,
            SharedLocks.withLock(of: self, { parsed.fields == nil })
        else {
            return ResponseHead(
                statusCode: statusCode, url: url, httpVersion: httpVersion, fields: fields + [field]
            )
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count + field.name.utf8.count + field.value.utf8.count + 4)
        bytes += raw
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        bytes += field.name.utf8
        bytes.append(UInt8(ascii: ":"))
        bytes += field.value.utf8
        bytes.append(UInt8(ascii: "\n"))
        return ResponseHead(
            statusCode: statusCode, url: url, httpVersion: httpVersion, rawFields: bytes)
    }

    /// Returns whether status code, URL and header fields are equal. On Linux, `HTTPURLResponse`
    /// does not compare header fields. Protocol versions are not compared, because a head created
    /// from an `HTTPURLResponse` does not know its version.
    func isEqual(to other: ResponseHead) -> Bool {
        self === other
            || statusCode == other.statusCode && url == other.url
                && HeaderField.byLowercasedName(fields)
                    == HeaderField.byLowercasedName(other.fields)
    }

    /// This head as an `HTTPURLResponse`. `nil` only if Foundation cannot create one.
    public var urlResponse: HTTPURLResponse? {
        if case .urlResponse(let response) = source { return response }
        if let known = SharedLocks.withLock(of: self, { parsed.urlResponse }) { return known }
        let made = HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: httpVersion,
            headerFields: HeaderField.joined(fields))
        return SharedLocks.withLock(of: self) {
            let response = parsed.urlResponse ?? made
            parsed.urlResponse = response
            return response
        }
    }

    private func makeFields() -> [HeaderField] {
        switch source {
        case .fields(let fields): return fields
        case .raw(let bytes): return bytes.withUnsafeBytes { HeaderField.parse($0) }
        case .urlResponse(let response):
            return response.allHeaderFields
                .map { name, value in
                    // Some platforms do not trim names and values.
                    HeaderField(
                        name: "\(name)".trimmingCharacters(in: .whitespaces),
                        value: Array("\(value)".utf8).withUnsafeBytes { HeaderField.text($0[...]) })
                }
                .sorted { $0.name < $1.name }
        }
    }
}

extension HeaderField {
    fileprivate typealias Bytes = Slice<UnsafeRawBufferPointer>

    /// Parses the lines of a head. Lines that are not fields are ignored, including their
    /// continuation lines.
    ///
    /// - Parameter wanted: The name of the fields to return, compared without regard to case. `nil`
    ///   for all fields.
    fileprivate static func parse(
        _ bytes: UnsafeRawBufferPointer, only wanted: String? = nil
    ) -> [HeaderField] {
        var fields: [HeaderField] = []
        var isFoldable = false
        var start = 0
        while start < bytes.count {
            let end =
                bytes.baseAddress.flatMap { base in
                    memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
                        .map { UnsafeRawPointer($0) - base }
                } ?? bytes.count
            let line = bytes[start..<end]
            start = end + 1
            guard let first = line.first else { continue }
            if isBlank(first) {
                // An obsolete line folding continues the value of the previous line (RFC 9112,
                // section 5.2).
                guard isFoldable, let last = fields.indices.last else { continue }
                fields[last].value =
                    [fields[last].value, text(line)].filter { !$0.isEmpty }.joined(separator: " ")
            } else if let field = field(in: line, only: wanted) {
                fields.append(field)
                isFoldable = true
            } else {
                isFoldable = false
            }
        }
        return fields
    }

    /// Parses a line. White space before the colon is removed (RFC 9112, section 5.1): with it, the
    /// name of a secret field would not be recognized. `nil` if the line is no field, or not of the
    /// wanted name.
    private static func field(in line: Bytes, only wanted: String?) -> HeaderField? {
        if let wanted, !FieldNames.areEqual(line.prefix(wanted.utf8.count), wanted.utf8) {
            return nil
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var name = line[..<colon]
        while name.last.map(isBlank) == true { name = name.dropLast() }
        if let wanted, name.count != wanted.utf8.count { return nil }
        guard !name.isEmpty, name.allSatisfy(HTTPToken.isTokenCharacter) else { return nil }
        return HeaderField(
            name: String(decoding: name, as: UTF8.self), value: text(line[(colon + 1)...]))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// Decodes a field value (RFC 9110, section 5.5): trims white space, decodes obsolete text as
    /// ISO 8859-1, and replaces line ends and NUL by spaces.
    fileprivate static func text(_ bytes: Bytes) -> String {
        var bytes = bytes
        while bytes.first.map(isEdge) == true { bytes = bytes.dropFirst() }
        while bytes.last.map(isEdge) == true { bytes = bytes.dropLast() }
        if bytes.allSatisfy({ $0 < 0x80 && !isLineEnd($0) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        let spaced = Data(bytes.map { isLineEnd($0) ? UInt8(ascii: " ") : $0 })
        return String(data: spaced, encoding: .utf8)
            ?? String(String.UnicodeScalarView(spaced.map { UnicodeScalar($0) }))
    }

    private static func isEdge(_ byte: UInt8) -> Bool { isBlank(byte) || isLineEnd(byte) }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") || byte == 0
    }

    fileprivate static func byLowercasedName(_ fields: [HeaderField]) -> [String: String] {
        Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }

    /// Returns the values by name, with values of the same name joined by a comma. If names differ
    /// in case, the first name is used, because `HTTPURLResponse` would keep only one of the
    /// fields.
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
