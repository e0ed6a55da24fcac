import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is checked of a file before it is sent.
enum UploadFile {
    static func size(of url: URL) throws(URLError) -> Int64 {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        } catch {
            throw URLError(.fileDoesNotExist, "Cannot read \(url.path).", url: nil, cause: error)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw URLError(.fileIsDirectory, "\(url.path) is not a regular file.", url: nil)
        }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw URLError(.noPermissionsToReadFile, "\(url.path) may not be read.", url: nil)
        }
        return (attributes[.size] as? NSNumber)?.int64Value ?? 0
    }
}
