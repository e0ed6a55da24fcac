import Foundation

/// Finds the delimiter lines between the parts of a multipart body.
struct DelimiterSearch: Sendable {
    /// Result of a search.
    struct Match: Equatable {
        enum Kind: Equatable {
            /// No complete delimiter. The bytes from ``start`` on may be the beginning of one.
            case none
            /// Delimiter followed by a part. `lineEnd` is the index of the CRLF that ends the
            /// delimiter's line.
            case part(lineEnd: Int)
            /// Closing delimiter.
            case close
            /// Closing delimiter if the body ends here. Further bytes may turn it into ordinary
            /// text.
            case closeAtEnd
        }

        var start: Int
        var kind: Kind
    }

    /// CRLF, two hyphens and the boundary.
    private let delimiter: [UInt8]

    /// Maximum number of spaces and tabs after a delimiter.
    private static let mostPadding = 128

    init(boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Returns the first delimiter at or after `start`. A line that continues after the boundary
    /// with other characters is not a delimiter.
    func next(in buffer: [UInt8], from start: Int) -> Match {
        var from = start
        while let found = Self.first(delimiter, in: buffer, from: from) {
            if let kind = kind(in: buffer, at: found + delimiter.count) {
                return Match(start: found, kind: kind)
            }
            from = found + 1
        }
        let tail = max(from, buffer.count - delimiter.count + 1)
        let beginning = buffer[min(tail, buffer.count)...].indices.first {
            buffer[$0] == 0x0D && delimiter.starts(with: buffer[$0...])
        }
        return Match(start: beginning ?? buffer.count, kind: .none)
    }

    /// Classifies a delimiter by the rest of its line. Returns ``Match/Kind/none`` if the rest has
    /// not arrived, and `nil` if the line is not a delimiter.
    private func kind(in buffer: [UInt8], at start: Int) -> Match.Kind? {
        let rest = buffer[start...]
        let hyphens = rest.prefix(2)
        if hyphens.elementsEqual("-".utf8) { return Match.Kind.none }
        let closes = hyphens.elementsEqual("--".utf8)
        let padding = rest.dropFirst(closes ? 2 : 0).prefix(Self.mostPadding + 1)
            .prefix { $0 == 0x20 || $0 == 0x09 }
        guard padding.count <= Self.mostPadding else { return nil }
        let end = rest[padding.endIndex...].prefix(2)
        if end.elementsEqual("\r\n".utf8) {
            return closes ? .close : .part(lineEnd: padding.endIndex)
        }
        guard end.isEmpty || end.elementsEqual("\r".utf8) else { return nil }
        return closes ? .closeAtEnd : Match.Kind.none
    }

    /// Returns the index of the CRLF before the empty line that ends the header fields, if that
    /// line has arrived.
    func endOfHeader(in buffer: [UInt8], from start: Int) -> Int? {
        Self.first(Self.emptyLine, in: buffer, from: start)
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)

    /// Returns the first index of `needle`, which must not be empty. Takes linear time: every
    /// needle here starts with a CR and has few others, so partial matches are short.
    private static func first(_ needle: [UInt8], in buffer: [UInt8], from start: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            needle.withUnsafeBytes { needle in
                guard let base = bytes.baseAddress, let pattern = needle.baseAddress else {
                    return nil
                }
                var from = start
                while from <= bytes.count - needle.count,
                    let hit = memchr(
                        base + from, Int32(needle[0]), bytes.count - needle.count - from + 1)
                {
                    let place = UnsafeRawPointer(hit) - base
                    if memcmp(hit, pattern, needle.count) == 0 { return place }
                    from = place + 1
                }
                return nil
            }
        }
    }
}
