import Foundation
import MoyaCore

/// File as the body of a request.
public struct FileUpload: UploadBody {
    /// File to upload.
    public let file: URL

    /// Creates an upload without checking the file. A missing or unreadable file fails the request
    /// before anything is sent.
    public init(file: URL) {
        self.file = file
    }

    /// Returns the file as a body, after checking that it can be read.
    ///
    /// - Throws: ``FileTransferError`` for a missing or unreadable file.
    public func makeBody(for request: inout URLRequest) throws -> RequestBody {
        _ = try LocalFile(file, .default)
        return .file(file)
    }
}
