import Foundation
import MoyaCore

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
