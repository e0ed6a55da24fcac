import Foundation

/// Finds the lines that separate the parts of a multipart body.
struct DelimiterSearch: Sendable {
    /// What was found.
    struct Match: Equatable {
        enum Kind: Equatable {
            /// No delimiter. What starts at ``start`` may become one.
            case none
            /// One that a part follows. `lineEnd` is where the CRLF stands that ends its line.
            case part(lineEnd: Int)
            /// The one that ends the body.
            case close
            /// What is the one that ends the body if nothing else comes, and may turn out to be none.
            case closeAtEnd
        }

        var start: Int
        var kind: Kind
    }

    /// CRLF, two hyphens, the boundary.
    private let delimiter: [UInt8]

    /// The most white space between a delimiter and the end of its line.
    private static let mostPadding = 128

    init(boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// The first delimiter at `start` or after it. A longer line that starts like one is none.
    func next(in buffer: [UInt8], from start: Int) -> Match {
        var from = start
        while let found = Self.first(delimiter, in: buffer, from: from) {
            switch kind(in: buffer, at: found + delimiter.count) {
            case .some(let kind): return Match(start: found, kind: kind)
            case nil: from = found + 1
            }
        }
        let tail = max(from, buffer.count - delimiter.count + 1)
        let beginning = buffer[min(tail, buffer.count)...].indices.first {
            buffer[$0] == 0x0D && delimiter.starts(with: buffer[$0...])
        }
        return Match(start: beginning ?? buffer.count, kind: .none)
    }

    /// What the rest of the line makes of a delimiter: ``Match/Kind/none`` where it has not come yet, `nil` where it
    /// makes it none.
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

    /// Where the empty line begins that ends header fields: the place of the CRLF before it.
    func endOfHeader(in buffer: [UInt8], from start: Int) -> Int? {
        Self.first(Self.emptyLine, in: buffer, from: start)
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)

    /// The first place of `needle`, which is not empty. Takes time in proportion to the bytes, as each needle starts
    /// with a CR and has hardly another: a beginning that comes to nothing is short.
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
