import Foundation
import MoyaCore

/// Options of a resumable upload.
public struct ResumableUploadOptions: Sendable {
    /// Metadata of the file for the server (`Upload-Metadata`); `filename` and `filetype` are
    /// common names. Names consist of ASCII characters without spaces and commas. Any other name is
    /// an ``UploadError``.
    public var metadata: [String: String]
    /// Maximum number of bytes in one request. Values below 1 mean 1. `nil`, the default, sends all
    /// remaining bytes in one request.
    public var chunkSize: Int64?
    /// Retries after network failures and for overloaded servers.
    public var retry: TransferRetry
    /// Folder that stores upload progress. `nil`, the default, uses the folder of the file. If the
    /// folder is not writable, only this call can resume after a lost connection.
    public var stateFolder: URL?
    /// Whether the server may direct the upload to another origin than the target's, by a redirect
    /// or by the location of the upload. Requests to that origin then carry all header fields of
    /// the target, including tokens. `false` by default.
    public var allowsOtherOrigins: Bool
    /// Clock for the delays between attempts.
    public var clock: any MoyaClock

    /// Creates options. By default all remaining bytes in one request, five consecutive attempts,
    /// the target's origin only, and the state beside the file.
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

/// Completed upload.
public struct UploadedFile: Sendable {
    /// URL of the upload on the server.
    public let url: URL
    /// Length of the file in bytes.
    public let byteCount: Int64
    /// Number of bytes that the server had when the upload was resumed. 0 for a new upload.
    public let resumedFrom: Int64
    /// Why the upload has started again from the first byte, although an earlier attempt or an
    /// earlier request of this one had begun. `nil` if it has not. The last reason if there were
    /// several.
    public let restart: TransferRestart?
}

extension MoyaProvider {
    /// Uploads a file with the tus protocol, version 1.0. Resumes an earlier attempt that ended by
    /// a lost connection, a cancellation or the end of the process.
    ///
    /// ```swift
    /// let uploaded = try await provider.resumableUpload(
    ///     file, to: .films, options: .init(metadata: ["filename": "a.mp4"]))
    /// ```
    ///
    /// `target` is the URL that creates uploads. Its base URL, path, header fields and its task's
    /// redirect policy are used; its method and the rest of its task are ignored. The provider's
    /// plugins see every request. A subclass's override of `request` is not called.
    ///
    /// Before any bytes are sent again, the upload's offset is requested from the server. The
    /// upload starts from the beginning if the file has changed since the earlier attempt, or if
    /// the server has deleted the upload or stores another file there. A file that changes during
    /// the upload is an error.
    ///
    /// - Parameters:
    ///   - file: File to upload.
    ///   - target: Target that creates uploads.
    ///   - options: Metadata, request size, retries and state.
    ///   - progress: Called with the progress. Calls are serialised. The progress may decrease
    ///     after a lost connection. A report with a ``FileProgress/restart`` precedes a start from
    ///     the first byte.
    /// - Throws: `MoyaError`. Failures other than of the network have an ``UploadError`` or
    ///   ``FileTransferError`` inside.
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
