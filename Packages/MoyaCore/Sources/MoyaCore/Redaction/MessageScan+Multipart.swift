// Multipart bodies (RFC 2046, section 5.1; RFC 7578), complete or truncated.
extension MessageScan {
    /// Returns the first line that begins with a boundary, after a preamble. The header fields of a
    /// part follow it.
    func firstPart(_ range: Range<Int>) -> Range<Int>? {
        var line = range.lowerBound
        while line < range.upperBound {
            let end = endOfLine(line..<range.upperBound)
            if has("--", line, end), hasContentField(nextLine(end, range.upperBound), range) {
                return line..<end
            }
            line = nextLine(end, range.upperBound)
        }
        return nil
    }

    /// Returns whether one of the header lines from `index` on begins with `Content-`.
    private func hasContentField(_ index: Int, _ range: Range<Int>) -> Bool {
        var line = index
        while line < range.upperBound {
            if has("content-", line, range.upperBound, ignoringCase: true) { return true }
            let name = end(line..<range.upperBound) { $0 > 0x20 && $0 != UInt8(ascii: ":") }
            // Another boundary ends the search, so that each line is read at most twice.
            guard name > line, name < range.upperBound, bytes[name] == UInt8(ascii: ":"),
                !has("--", line, range.upperBound)
            else { return false }
            line = nextLine(endOfLine(name..<range.upperBound), range.upperBound)
        }
        return false
    }

    mutating func multipart(_ range: Range<Int>, from first: Range<Int>, _ depth: Int) {
        let boundary = Array(
            bytes[first.lowerBound...(last(first) { !Mask.isBlank($0) } ?? first.lowerBound)])
        document(range.lowerBound..<first.lowerBound, depth)
        var start = first.lowerBound
        while start < range.upperBound {
            let next = nextBoundary(boundary, start..<range.upperBound)
            // The line break before a boundary is part of the boundary.
            var end = next ?? range.upperBound
            if next != nil { end -= 1 }
            if end > start, bytes[end - 1] == 0x0D { end -= 1 }
            part(start..<end, boundary, depth)
            start = next ?? range.upperBound
        }
    }

    private func nextBoundary(_ boundary: [UInt8], _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while let line = first(index..<range.upperBound, where: { $0 == 0x0A }) {
            index = line + 1
            if bytes[index..<range.upperBound].starts(with: boundary) { return index }
        }
        return nil
    }

    /// Scans a part: its boundary, its header fields and its content. The epilogue is like a part
    /// without header fields.
    private mutating func part(_ range: Range<Int>, _ boundary: [UInt8], _ depth: Int) {
        let fields = range.lowerBound + boundary.count
        var line = nextLine(endOfLine(fields..<range.upperBound), range.upperBound)
        let isEpilogue = has("--", fields, range.upperBound)
        while !isEpilogue, line < range.upperBound {
            let end = endOfLine(line..<range.upperBound)
            let isEmpty = end == line
            line = nextLine(end, range.upperBound)
            if isEmpty { break }
        }
        text(fields..<line, depth)
        guard line < range.upperBound else { return }
        let isSecret = names(in: fields..<line).contains { self.isSecret($0, in: .member) }
        isSecret ? mask(line..<range.upperBound) : body(line..<range.upperBound, depth + 1)
    }

    /// Returns the parameters `name` and `name*` (RFC 8187), but not `filename`.
    private func names(in range: Range<Int>) -> [String] {
        var names: [String] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { index = endOfString(index - 1, range.upperBound) }
            guard byte == UInt8(ascii: ";") || Mask.isBlank(byte),
                has("name", index, range.upperBound, ignoringCase: true)
            else { continue }
            index += 4
            let isExtended = has("*", index, range.upperBound)
            if isExtended { index += 1 }
            guard has("=", index, range.upperBound) else { continue }
            let end = endOfParameter(index + 1, range.upperBound)
            var name = Array(bytes[(index + 1)..<end])
            if name.first == UInt8(ascii: "\"") { name = Self.unquoted(name) }
            if isExtended { name = Array(name.split(separator: UInt8(ascii: "'")).last ?? []) }
            names.append(String(decoding: Mask.percentDecoded(name), as: UTF8.self))
            index = end
        }
        return names
    }

    private func endOfParameter(_ index: Int, _ end: Int) -> Int {
        if has("\"", index, end) { return endOfString(index, end) }
        return self.end(index..<end) { $0 > 0x20 && $0 != UInt8(ascii: ";") }
    }

    private static func unquoted(_ quoted: [UInt8]) -> [UInt8] {
        var name: [UInt8] = []
        var isEscaped = false
        for byte in quoted {
            if isEscaped || byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\"") {
                name.append(byte)
            }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return name
    }
}
