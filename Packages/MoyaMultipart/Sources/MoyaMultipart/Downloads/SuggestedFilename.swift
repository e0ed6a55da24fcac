import Foundation
import MoyaCore

/// File name that a server suggests for a download, made safe.
///
/// The name comes from `Content-Disposition` (RFC 6266; `filename*` in the format of RFC 8187), or
/// else from the URL. Of duplicate parameters, the first is used. The name is a single path
/// component of at most 255 bytes, without control characters, format characters and leading dots.
/// If no characters are left, it is `download`.
public struct SuggestedFilename: Sendable, Equatable {
    /// Safe file name.
    public let value: String

    /// Takes the name from `Content-Disposition`, or the last path component of the response's URL.
    public init(_ response: HTTPURLResponse) {
        let disposition = response.value(forHTTPHeaderField: "Content-Disposition")
        self.init(contentDisposition: disposition, url: response.url)
    }

    init(contentDisposition: String?, url: URL?) {
        let parameters = HeaderParameters(contentDisposition ?? "", quoting: .standard)
        let candidates = [
            parameters["filename*"].flatMap(Self.decodeExtendedValue), parameters["filename"],
            url?.lastPathComponent,
        ]
        value =
            candidates.lazy.compactMap { $0 }.map(Self.sanitize).first { !$0.isEmpty } ?? "download"
    }

    private static func sanitize(_ name: String) -> String {
        // Works on scalars: a combining mark would merge with a slash into one character. A
        // backslash separates folders on some systems that the file may be copied to.
        let last = name.unicodeScalars.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
        let visible = (last.map(Array.init) ?? []).filter { scalar in
            // Some format characters reverse the direction of text, so that `txt.exe` looks like
            // `exe.txt`. Others have no width and hide in a name.
            ![.control, .format].contains(scalar.properties.generalCategory)
        }
        // Trailing spaces are removed first, so that the removal of leading dots is the last change
        // to the beginning.
        let end = visible.lastIndex { !$0.properties.isWhitespace }.map { $0 + 1 } ?? 0
        let trimmed = visible[..<end].drop { $0 == "." || $0.properties.isWhitespace }
        return shorten(String(String.UnicodeScalarView(trimmed)))
    }

    /// Shortens a name to 255 bytes, the limit of common file systems. Keeps a short extension.
    private static func shorten(_ name: String) -> String {
        guard name.utf8.count > 255 else { return name }
        let scalars = name.unicodeScalars
        let dot = scalars.lastIndex(of: ".") ?? scalars.endIndex
        let suffix =
            String(scalars[dot...]).utf8.count <= 16
            ? scalars[dot...] : scalars[scalars.endIndex...]
        var room = 255 - String(suffix).utf8.count
        // A character may consist of any number of scalars. Cutting inside a character avoids
        // dropping all of it.
        let stem = scalars[..<suffix.startIndex].prefix { scalar in
            room -= UTF8.width(scalar)
            return room >= 0
        }
        return String(stem) + String(suffix)
    }

    /// Decodes an extended value such as `UTF-8''na%C3%AFve` (RFC 8187, section 3.2).
    private static func decodeExtendedValue(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return parts[2].removingPercentEncoding
    }
}
