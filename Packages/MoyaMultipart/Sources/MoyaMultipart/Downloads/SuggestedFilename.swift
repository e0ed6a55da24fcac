import Foundation
import MoyaCore

/// The name a server suggests for a download, made safe.
///
/// Taken from `Content-Disposition` (RFC 6266; `filename*` as RFC 8187 has it), the first where there are two
/// of a kind, or else from the URL. It is one path component without control and format characters or
/// leading dots, of at most 255 bytes. Where nothing is left, it is `download`.
public struct SuggestedFilename: Sendable, Equatable {
    /// The name.
    public let value: String

    /// The name in `Content-Disposition`, or the last component of the response's URL.
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
        // Scalar by scalar: a combining mark would hide a slash within a character. A backslash separates
        // folders where the name may end up.
        let last = name.unicodeScalars.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
        let visible = (last.map(Array.init) ?? []).filter { scalar in
            // Format characters turn the direction of text around, which makes `exe.txt` out of `txt.exe`, and
            // have no width, which hides what comes after them.
            ![.control, .format].contains(scalar.properties.generalCategory)
        }
        // The end first: nothing may come off the beginning once it has lost its dots.
        let end = visible.lastIndex { !$0.properties.isWhitespace }.map { $0 + 1 } ?? 0
        let trimmed = visible[..<end].drop { $0 == "." || $0.properties.isWhitespace }
        return shorten(String(String.UnicodeScalarView(trimmed)))
    }

    /// At most 255 bytes, which is what file systems take, with the extension kept where it is short.
    private static func shorten(_ name: String) -> String {
        guard name.utf8.count > 255 else { return name }
        let scalars = name.unicodeScalars
        let dot = scalars.lastIndex(of: ".") ?? scalars.endIndex
        let suffix =
            String(scalars[dot...]).utf8.count <= 16
            ? scalars[dot...] : scalars[scalars.endIndex...]
        var room = 255 - String(suffix).utf8.count
        // A single character may have any number of scalars: cut within one rather than lose all of it.
        let stem = scalars[..<suffix.startIndex].prefix { scalar in
            room -= UTF8.width(scalar)
            return room >= 0
        }
        return String(stem) + String(suffix)
    }

    /// `UTF-8''na%C3%AFve` (RFC 8187, section 3.2).
    private static func decodeExtendedValue(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return parts[2].removingPercentEncoding
    }
}
