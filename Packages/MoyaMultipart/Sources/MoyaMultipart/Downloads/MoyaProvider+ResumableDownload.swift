import Foundation
import MoyaCore

extension MoyaProvider {
    /// Downloads a file. Resumes an earlier attempt that ended by a lost connection, a cancellation
    /// or the end of the process.
    ///
    /// ```swift
    /// let image = try await provider.resumableDownload(.image, to: file) { progress in
    ///     print(progress.fractionCompleted ?? 0, progress.estimatedSecondsRemaining ?? .infinity)
    /// }
    /// ```
    ///
    /// The bytes are written to a hidden file beside `file`. When that file is complete, verified
    /// and synchronised with the disk, it is renamed to `file`. Missing bytes are requested with
    /// Range and If-Range (RFC 9110, section 14), so a file that has changed on the server is
    /// downloaded from its beginning. Without a strong `ETag` or a reliable `Last-Modified`, no
    /// download is resumed. The requests ask for no content coding. If the server sends one
    /// regardless, the file has the decoded content, as with `.download(to:)`, and the download
    /// cannot be resumed. Lost connections and overloaded servers are retried according to
    /// `options`. Plugins see each attempt as a separate request. A subclass's override of
    /// `request` is not called.
    ///
    /// The target's method has to be GET, and its validation has to accept 206. The delivery of its
    /// task is ignored. If the task is cancelled or the download fails, the bytes received are kept
    /// if a later attempt can resume: see ``PartialDownload``.
    ///
    /// - Parameters:
    ///   - target: Target of the download.
    ///   - file: Destination. An existing file is an error unless the placement options replace it.
    ///   - options: Placement, connections, checksum, identity and retries.
    ///   - progress: Called with the progress. Calls are serialised. A report with a
    ///     ``FileProgress/restart`` precedes a start from the first byte.
    /// - Throws: `MoyaError`. Failures other than of the network have a ``DownloadError`` or
    ///   ``FileTransferError`` inside.
    public func resumableDownload(
        _ target: Target, to file: URL,
        options: ResumableDownloadOptions = ResumableDownloadOptions(),
        progress: (@Sendable (FileProgress) -> Void)? = nil
    ) async throws -> DownloadedFile {
        do {
            let place = FixedDestination(file: file, options: options.placement)
            let run = try DownloadRun(
                Requester(target, self), to: place, options: options,
                reporter: FileProgressReporter(progress))
            return try await run.run()
        } catch {
            throw MoyaError(wrapping: error)
        }
    }
}

/// Partial file of an unfinished `MoyaProvider.resumableDownload(_:to:options:progress:)`.
public enum PartialDownload {
    /// Whether a partial download to `file` exists, belongs to this user and can be resumed.
    public static func exists(for file: URL) -> Bool { PartialFile.isResumable(for: file) }

    /// Removes the partial download and its state.
    ///
    /// - Throws: ``DownloadError`` if the download is in progress; ``FileTransferError`` if the
    ///   file cannot be removed.
    public static func discard(for file: URL) throws {
        guard PartialFile.ownership(for: file) != nil else { return }
        try PartialFile(for: file).discard()
    }
}
