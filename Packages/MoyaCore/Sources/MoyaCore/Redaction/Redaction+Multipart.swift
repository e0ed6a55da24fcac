import Foundation

/// Masks the parts of a multipart body (RFC 2046, section 5.1; RFC 7578), complete or truncated.
struct MultipartMasking {
    /// `--` followed by the boundary.
    private let delimiter: Data
    private let body: Data

    /// Returns `nil` if `body` does not begin with a boundary and the header fields of a part.
    init?(_ body: Data) {
        let rest = body.drop { $0 == 0x0D || $0 == 0x0A }
        guard rest.starts(with: "--".utf8) else { return nil }
        let line = rest.prefix { $0 != 0x0A }
        delimiter = Data(line.reversed().drop { [0x0D, 0x20, 0x09].contains($0) }.reversed())
        let fields = rest[line.endIndex...].prefix(4096)
        guard delimiter.count > 2,
            String(decoding: fields, as: UTF8.self).lowercased().contains("content-")
        else { return nil }
        self.body = body
    }

    /// Returns the body with the content of each part replaced. `change` receives the part's name,
    /// if it has one.
    func masked(_ change: (_ name: String?, _ content: Data) -> Data) -> Data {
        var shown = Data()
        var rest = body[...]
        while !rest.isEmpty {
            // The line break before a boundary is part of the boundary.
            let next = rest.range(of: [0x0A] + delimiter)
            shown += masked(part: rest[..<(next?.lowerBound ?? rest.endIndex)], change)
            guard let next else { break }
            shown.append(0x0A)
            rest = rest[rest.index(after: next.lowerBound)...]
        }
        return shown
    }

    private func masked(
        part: Data, _ change: (_ name: String?, _ content: Data) -> Data
    ) -> Data {
        let ends = ["\r\n\r\n", "\n\n"].compactMap { part.range(of: Data($0.utf8))?.upperBound }
        // Preamble, epilogue, or a part that is truncated before its content.
        guard part.starts(with: delimiter), let start = ends.min() else { return part }
        var content = part[start...]
        let hasReturn = content.last == 0x0D
        if hasReturn { content = content.dropLast() }
        let fields = String(decoding: part[..<start], as: UTF8.self)
        return part[..<start] + change(Self.name(in: fields), Data(content))
            + (hasReturn ? [0x0D] : [])
    }

    /// Returns the parameter `name`, quoted or unquoted, but not `filename`.
    private static func name(in fields: String) -> String? {
        var rest = Array(fields.unicodeScalars)[...]
        while !rest.isEmpty {
            let before = rest.removeFirst()
            guard before == ";" || before.properties.isWhitespace,
                String(String.UnicodeScalarView(rest.prefix(5))).lowercased() == "name="
            else { continue }
            rest = rest.dropFirst(5)
            guard rest.first == "\"" else {
                return text(rest.prefix { $0 != ";" && !$0.properties.isWhitespace })
            }
            return quoted(rest.dropFirst())
        }
        return nil
    }

    private static func quoted(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var name: [Unicode.Scalar] = []
        var rest = scalars
        while let scalar = rest.popFirst(), scalar != "\"" {
            name.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        return text(name[...])
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        let text = String(String.UnicodeScalarView(scalars))
        return text.removingPercentEncoding ?? text
    }
}
