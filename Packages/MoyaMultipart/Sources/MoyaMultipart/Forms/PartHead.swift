import Foundation
import MoyaCore
import MoyaInternals

/// Header fields of a part, as they are sent.
struct PartHead {
    enum Context {
        /// Top-level form: its parts are named fields (RFC 7578, section 4.2).
        case form
        /// Field with several nested parts, which are attachments (RFC 2183, section 2.2).
        case mixed
    }

    let disposition: String?
    let contentType: String?
    let others: [HeaderField]

    /// - Parameter nested: Boundary of the nested parts, if the part has any.
    init(
        of part: MultipartFormBodyPart, in context: Context, nested: Boundary?
    ) throws(MultipartFormError) {
        for field in part.headers {
            guard HTTPToken.isToken(field.name), HTTPToken.isFieldValue(field.value) else {
                throw .header(field.name, of: part.name)
            }
            if ["content-disposition", "content-type"].contains(field.name.lowercased()) {
                throw .ownHeader(field.name, of: part.name)
            }
        }
        let type = nested?.contentType("mixed") ?? Self.mimeType(of: part)
        guard HTTPToken.isFieldValue(type ?? "") else {
            throw .mimeType(type ?? "", of: part.name)
        }
        others = part.headers
        contentType = type
        disposition = Self.disposition(of: part, in: context)
    }

    /// Header lines, including the empty line after the last one.
    var text: String {
        var text = ""
        if let disposition { text += "Content-Disposition: \(disposition)\r\n" }
        if let contentType { text += "Content-Type: \(contentType)\r\n" }
        for field in others { text += "\(field.name): \(field.value)\r\n" }
        return text + "\r\n"
    }

    private static func disposition(
        of part: MultipartFormBodyPart, in context: Context
    ) -> String? {
        var disposition = ""
        let name = FormEscaping.quote(FormEscaping.normalizingNewlines(of: part.name))
        switch context {
        case .form: disposition = "form-data; name=\(name)"
        case .mixed: disposition = part.name.isEmpty ? "attachment" : "attachment; name=\(name)"
        }
        if let fileName = fileName(of: part) {
            disposition += "; filename=\(FormEscaping.quote(fileName))"
        }
        return disposition
    }

    private static func fileName(of part: MultipartFormBodyPart) -> String? {
        if let fileName = part.fileName { return fileName }
        if case .file(let url) = part.provider { return url.lastPathComponent }
        return nil
    }

    private static func mimeType(of part: MultipartFormBodyPart) -> String? {
        if let mimeType = part.mimeType { return mimeType.isEmpty ? nil : mimeType }
        guard case .file(let url) = part.provider else { return nil }
        let names = [url.lastPathComponent, part.fileName ?? ""]
        return names.lazy.compactMap(MIMEType.ofFile(named:)).first ?? MIMEType.unknown
    }
}

/// Encoding of names in `Content-Disposition`: the "multipart/form-data encoding algorithm" of the
/// HTML standard.
enum FormEscaping {
    /// Returns `text` in quotation marks. Like browsers, leaves percent signs and backslashes as
    /// they are.
    static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "%22"
            case "\r": quoted += "%0D"
            case "\n": quoted += "%0A"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Decodes `%22`, `%0D` and `%0A`, the only escapes that browsers write.
    static func unescape(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return text.replacingOccurrences(of: "%22", with: "\"", options: .literal)
            .replacingOccurrences(of: "%0D", with: "\r", options: .literal)
            .replacingOccurrences(of: "%0A", with: "\n", options: .literal)
    }

    /// Replaces every line end of a field name with CRLF. File names keep their line ends.
    static func normalizingNewlines(of text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return text }
        return text.replacingOccurrences(of: "\r\n", with: "\n", options: .literal)
            .replacingOccurrences(of: "\r", with: "\n", options: .literal)
            .replacingOccurrences(of: "\n", with: "\r\n", options: .literal)
    }
}
