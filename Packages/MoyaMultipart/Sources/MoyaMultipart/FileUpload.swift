import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A file as the body of a request.
public struct FileUpload: UploadBody {
    /// The file.
    public let file: URL

    /// Looks at nothing yet: a file that cannot be uploaded fails the request before anything is sent.
    public init(file: URL) {
        self.file = file
    }

    /// - Throws: ``FileTransferError`` for a file that cannot be uploaded.
    public func makeBody(for request: inout URLRequest) throws -> RequestBody {
        _ = try LocalFile(file, .default)
        return .file(file)
    }
}

/// Why a file could not be uploaded, or a download not be put in its place.
public struct FileTransferError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible
{
    /// What was wrong, with the path.
    public let description: String
    public var errorDescription: String? { description }

    static func missing(_ url: URL) -> FileTransferError {
        FileTransferError(description: "There is no file at \(url.path).")
    }

    static func notAFile(_ url: URL) -> FileTransferError {
        FileTransferError(description: "\(url.absoluteString) is not a regular local file.")
    }

    static func unreadable(_ url: URL) -> FileTransferError {
        FileTransferError(description: "The file \(url.path) may not be read.")
    }

    static func occupied(_ url: URL) -> FileTransferError {
        FileTransferError(
            description:
                "There is a file at \(url.path) already. Pass .removePreviousFile to replace it.")
    }
}
