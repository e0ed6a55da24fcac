import Foundation

/// The file of a stub cannot be read or found.
public struct StubFileError: Error, LocalizedError, CustomStringConvertible {
    /// The file, and why it cannot be read.
    public let description: String
    /// The ``description``.
    public var errorDescription: String? { description }
}

/// Reads the files of stubs.
enum StubFile {
    /// Maximum number of names in an error.
    private static let listLimit = 10

    static func read(_ url: URL) throws -> Data {
        do {
            return try Data(contentsOf: url, options: .mappedIfSafe)
        } catch {
            throw StubFileError(
                description: "The stub's file \(url.path) cannot be read: "
                    + "\((error as NSError).localizedDescription)")
        }
    }

    static func find(_ name: String, in bundle: Bundle, subdirectory: String?) throws -> URL {
        let folder = subdirectory.map { "\($0)/" } ?? ""
        if let url = bundle.url(
            forResource: name, withExtension: nil, subdirectory: subdirectory)
        {
            return url
        }
        let all = bundle.paths(forResourcesOfType: nil, inDirectory: subdirectory)
            .map { URL(fileURLWithPath: $0).lastPathComponent }
        var lines = ["\(bundle.bundlePath) has no resource \(folder)\(name)."]
        if let nearest = all.min(by: { name.distance(to: $0) < name.distance(to: $1) }) {
            lines.append("The nearest is \(folder)\(nearest).")
            let shown = all.sorted().prefix(Self.listLimit).joined(separator: ", ")
            lines.append("It has \(shown)\(all.count > Self.listLimit ? ", …" : "").")
        }
        lines.append(
            "Name it with its extension, and list its folder under resources: in the manifest.")
        throw StubFileError(description: lines.joined(separator: " "))
    }

    static func type(ofExtension name: String) -> String? {
        switch name.lowercased() {
        case "json": "application/json"
        case "txt": "text/plain; charset=utf-8"
        case "html", "htm": "text/html; charset=utf-8"
        case "xml": "application/xml"
        case "csv": "text/csv; charset=utf-8"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "pdf": "application/pdf"
        case "zip": "application/zip"
        default: nil
        }
    }
}
