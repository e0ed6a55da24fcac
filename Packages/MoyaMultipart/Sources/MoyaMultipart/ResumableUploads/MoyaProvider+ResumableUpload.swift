import Foundation
import MoyaCore

/// How a resumable upload is made.
public struct ResumableUploadOptions: Sendable {
    /// What the server is told about the file (`Upload-Metadata`): `filename` and `filetype` are usual.
    /// Names are of ASCII, without spaces and commas; another one is an ``UploadError``.
    public var metadata: [String: String]
    /// The most bytes of one request, at least 1. `nil` sends all that is left in one.
    public var chunkSize: Int64?
    /// How often the network may fail.
    public var retry: TransferRetry
    /// Directory that stores upload progress. `nil` is the directory of the file. Where it cannot be written, only this
    /// attempt resumes after a lost connection.
    public var stateFolder: URL?
    /// Whether the server may have the file sent to another origin than the target's: by a redirect, or by the place
    /// it names for the upload, and then with all that the target's requests carry, tokens as well.
    public var allowsOtherOrigins: Bool
    /// Clock of the pauses.
    public var clock: any MoyaClock

    /// Unless you say otherwise: one request for all that is left, five attempts in a row, the target's origin alone,
    /// and the state beside the file.
    public init(
        metadata: [String: String] = [:], chunkSize: Int64? = nil,
        retry: TransferRetry = TransferRetry(), stateFolder: URL? = nil,
        allowsOtherOrigins: Bool = false, clock: any MoyaClock = .system
    ) {
        self.metadata = metadata
        self.chunkSize = chunkSize
        self.retry = retry
        self.stateFolder = stateFolder
        self.allowsOtherOrigins = allowsOtherOrigins
        self.clock = clock
    }
}

/// A file that a server has whole.
public struct UploadedFile: Sendable {
    /// Where the server keeps it.
    public let url: URL
    /// How long it is.
    public let byteCount: Int64
    /// How many bytes were there before this attempt.
    public let resumedFrom: Int64
}

extension MoyaProvider {
    /// Uploads a file by the tus protocol, version 1.0, and goes on where an earlier attempt ended: after a
    /// lost connection, a cancel, or the end of the process.
    ///
    /// ```swift
    /// let film = try await provider.resumableUpload(file, to: .films, options: .init(metadata: ["filename": "a.mp4"]))
    /// ```
    ///
    /// `target` is where uploads are created. Its base URL, path, header fields and its task's redirect policy count, its
    /// method and the rest of its task do not; the provider's plugins see every request. The server is asked how much it
    /// has before anything is sent again. A file that has changed since is uploaded from its beginning, as is one that the
    /// server knows nothing of any more, or has something else in the place of. One that changes meanwhile is an error.
    ///
    /// - Parameter progress: Told how far it is, one call at a time. A lost connection may take it back.
    /// - Throws: ``MoyaError``, around an ``UploadError`` or ``FileTransferError`` where it was not the
    ///   network.
    public func resumableUpload(
        _ file: URL, to target: Target, options: ResumableUploadOptions = ResumableUploadOptions(),
        progress: (@Sendable (FileProgress) -> Void)? = nil
    ) async throws -> UploadedFile {
        do {
            let allowsOtherOrigins = options.allowsOtherOrigins
            let requester = Requester(target, self) { policy in
                allowsOtherOrigins ? policy.sendingAlso(UploadRun.fields) : policy.withinOrigin
            }
            let upload = try UploadRun(
                requester, of: file, options: options, FileProgressReporter(progress))
            return try await upload.run()
        } catch {
            throw MoyaError(wrapping: error)
        }
    }
}
