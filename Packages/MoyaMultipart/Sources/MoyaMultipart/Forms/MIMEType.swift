import Foundation

/// Media types of files, looked up by file name extension.
enum MIMEType {
    /// Media type of a file whose extension is missing or unknown.
    static let unknown = "application/octet-stream"

    /// Returns the media type for the extension of `name`, or `nil` for a missing or unknown
    /// extension.
    static func ofFile(named name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return byExtension[name[name.utf8.index(after: dot)...].lowercased()]
    }

    private static let byExtension: [String: String] = {
        var types: [String: String] = [:]
        for line in MIMETypeTable.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let type = words.first else { continue }
            for name in words.dropFirst() { types[String(name)] = String(type) }
        }
        return types
    }()
}
