import Foundation
import MoyaCore

/// Request line and header section of a request (RFC 9112, sections 3 and 5).
struct RequestHead {
    /// Framing of the body.
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    var method = ""
    var target = ""
    var headers: [HeaderField] = []
    var framing = Framing.length(0)
    var expectsContinue = false
    /// Whether the connection has to be closed after the response.
    var wantsClose = false

    /// Parses a head. Returns `nil` unless it is valid HTTP/1.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map(Self.trimmed)
            .filter { !$0.isEmpty }
        guard let words = lines.first?.split(separator: UInt8(ascii: " ")), words.count == 3,
            words[2].starts(with: "HTTP/1.".utf8)
        else { return nil }
        method = String(decoding: words[0], as: UTF8.self)
        target = String(decoding: words[1], as: UTF8.self)
        wantsClose = words[2].elementsEqual("HTTP/1.0".utf8)
        for line in lines.dropFirst() {
            guard readField(line) else { return nil }
        }
    }

    private mutating func readField(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        let value = String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self)
        headers.append(HeaderField(name: name, value: value))
        switch name.lowercased() {
        case "content-length":
            guard let length = Int(value), length >= 0 else { return false }
            if framing != .chunked { framing = .length(length) }
        case "transfer-encoding":
            guard value.lowercased() == "chunked" else { return false }
            framing = .chunked
        case "expect": expectsContinue = value.lowercased() == "100-continue"
        case "connection": wantsClose = wantsClose || value.lowercased().contains("close")
        default: break
        }
        return true
    }

    private static func trimmed(
        _ bytes: Slice<UnsafeRawBufferPointer>
    ) -> Slice<UnsafeRawBufferPointer> {
        let isText: (UInt8) -> Bool = { !" \t\r".utf8.contains($0) }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText)
        else { return bytes.prefix(0) }
        return bytes[first...last]
    }
}
