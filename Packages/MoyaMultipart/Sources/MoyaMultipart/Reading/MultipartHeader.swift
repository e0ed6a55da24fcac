import Foundation
import MoyaCore
import MoyaInternals

/// Header fields of a part of a multipart body.
public struct MultipartHeader: Sendable, Hashable {
    /// Fields, in order.
    public var fields: [HeaderField]

    /// Creates a header from fields, without validating them.
    public init(_ fields: [HeaderField] = []) {
        self.fields = fields
    }

    /// Returns the value of the first field with the given name, compared case-insensitively.
    public subscript(name: String) -> String? { fields.values(for: name).first }

    /// Name of the form field, from `Content-Disposition`.
    public var name: String? { disposition?["name"] }

    /// File name from `Content-Disposition`, exactly as it was sent. It may contain a path: never
    /// use it to name a file without making it safe.
    public var fileName: String? { disposition?["filename"] }

    /// Media type with its parameters, from `Content-Type`.
    public var contentType: String? { self["Content-Type"] }

    private var disposition: HeaderParameters? {
        self["Content-Disposition"].map { HeaderParameters($0, quoting: .form) }
    }

    /// Parses lines that are separated by CRLF.
    init(parsing lines: ArraySlice<UInt8>) throws(MultipartReadingError) {
        var fields: [HeaderField] = []
        for line in Self.unfold(lines) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedHeader }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = line[(colon + 1)...]
            guard HTTPToken.isToken(name), value.allSatisfy({ $0 != 0x0D && $0 != 0x0A && $0 != 0 })
            else { throw .malformedHeader }
            fields.append(HeaderField(name: name, value: Self.trim(value)))
        }
        self.fields = fields
    }

    private static func trim(_ value: ArraySlice<UInt8>) -> String {
        let start = value.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }
        return end.map { String(decoding: start[...$0], as: UTF8.self) } ?? ""
    }

    /// Splits the lines, and joins continuation lines to the line before them (RFC 5322, section
    /// 2.2.3).
    private static func unfold(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.indices.first { rest[$0] == 0x0D && rest[($0 + 1)...].first == 0x0A }
            let line = rest[..<(end ?? rest.endIndex)]
            rest = rest[line.endIndex...].dropFirst(2)
            if let first = line.first, isSpace(first), let last = lines.popLast() {
                lines.append(last + line)
            } else {
                lines.append(line)
            }
        }
        return lines
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// Part of a multipart body, held in memory.
public struct MultipartPart: Sendable, Hashable {
    /// Header fields of the part.
    public var header: MultipartHeader
    /// Content of the part.
    public var body: Data

    /// Creates a part, for example to test code that handles parts.
    public init(header: MultipartHeader, body: Data) {
        self.header = header
        self.body = body
    }
}
