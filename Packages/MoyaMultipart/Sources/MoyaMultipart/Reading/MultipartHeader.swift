import Foundation
import MoyaCore
import MoyaInternals

/// The header fields of one part of a multipart body.
public struct MultipartHeader: Sendable, Hashable {
    /// The fields, in order.
    public var fields: [HeaderField]

    /// For parts made by hand, and tests. The fields are taken as they are.
    public init(_ fields: [HeaderField] = []) {
        self.fields = fields
    }

    /// The value of the first field of this name, whatever its case.
    public subscript(name: String) -> String? { fields.values(for: name).first }

    /// The name of the form's field, from `Content-Disposition`.
    public var name: String? { disposition?["name"] }

    /// The name of the file, from `Content-Disposition`, as it was sent: a path in it is still there. Never use it as
    /// the name of a file before that is made safe.
    public var fileName: String? { disposition?["filename"] }

    /// The media type, with its parameters.
    public var contentType: String? { self["Content-Type"] }

    private var disposition: HeaderParameters? {
        self["Content-Disposition"].map { HeaderParameters($0, quoting: .form) }
    }

    /// Reads the fields out of lines that CRLF separates.
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

    /// The lines, those that go on in the next one (RFC 5322, section 2.2.3) put together.
    private static func unfold(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while !rest.isEmpty {
            let line = rest.prefix(upTo: endOfLine(in: rest))
            rest = rest[line.endIndex...].dropFirst(2)
            if let first = line.first, isSpace(first), let last = lines.popLast() {
                lines.append(last + line)
            } else {
                lines.append(line)
            }
        }
        return lines
    }

    private static func endOfLine(in bytes: ArraySlice<UInt8>) -> Int {
        var rest = bytes
        while let carriageReturn = rest.firstIndex(of: 0x0D) {
            rest = rest[(carriageReturn + 1)...]
            if rest.first == 0x0A { return carriageReturn }
        }
        return bytes.endIndex
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// A part of a multipart body, all of it in memory.
public struct MultipartPart: Sendable, Hashable {
    /// What it says about itself.
    public var header: MultipartHeader
    /// Its bytes.
    public var body: Data

    /// For tests of code that takes parts.
    public init(header: MultipartHeader, body: Data) {
        self.header = header
        self.body = body
    }
}
