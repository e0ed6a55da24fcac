import Foundation

/// Media types of files by their names.
enum MIMEType {
    /// What is sent for a file whose name says nothing.
    static let unknown = "application/octet-stream"

    /// The media type that belongs to the extension of `name`. `nil` where there is none that is known.
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
