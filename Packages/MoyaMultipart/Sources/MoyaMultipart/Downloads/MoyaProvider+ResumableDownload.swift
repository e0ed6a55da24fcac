import Foundation
import MoyaCore

extension MoyaProvider {
    /// Downloads a file and goes on where an earlier attempt ended: after a lost connection, a cancel, or the
    /// end of the process.
    ///
    /// ```swift
    /// let image = try await provider.resumableDownload(.image, to: file) { progress in
    ///     print(progress.fractionCompleted ?? 0, progress.estimatedSecondsRemaining ?? .infinity)
    /// }
    /// ```
    ///
    /// The bytes gather in a hidden file beside `file`, which takes its name when it is whole, checked and on
    /// the disk. What is left is asked for with Range and If-Range (RFC 9110, section 14), so that a
    /// file that changes on the server is fetched anew; without a strong `ETag` or a reliable
    /// `Last-Modified` nothing is resumed. Lost connections and overloaded servers are tried again as
    /// `options` says. Each attempt is a request of its own to the plugins.
    ///
    /// The target's method has to be GET, its validation has to accept 206, and its task's delivery is not
    /// used. Cancelling the task or failing keeps what has come, if a later attempt can go on with it: see
    /// ``PartialDownload``.
    ///
    /// - Parameter progress: Told how far it is, one call at a time.
    /// - Throws: ``MoyaError``, around a ``DownloadError`` or ``FileTransferError`` where it was not the
    ///   network.
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

/// What an unfinished `MoyaProvider.resumableDownload(_:to:options:progress:)` has left.
public enum PartialDownload {
    /// Whether there is something to go on with: half a download of this user's.
    public static func exists(for file: URL) -> Bool { PartialFile.isResumable(for: file) }

    /// Removes it.
    ///
    /// - Throws: ``DownloadError`` while the download is under way; ``FileTransferError`` for what cannot be removed.
    public static func discard(for file: URL) throws {
        guard PartialFile.ownership(for: file) != nil else { return }
        try PartialFile(for: file).discard()
    }
}
