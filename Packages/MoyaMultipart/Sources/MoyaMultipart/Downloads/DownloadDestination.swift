import Foundation
import MoyaCore

/// Closure that returns a download's destination and options, called when the response has arrived.
///
/// Use ``SuggestedFilename`` for the name that the server suggests. On Linux, the response's
/// `suggestedFilename` is `"Unknown"` for every download, so a second download would find an
/// existing file.
public typealias DownloadDestination =
    @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (
        destinationURL: URL, options: DownloadOptions
    )

/// Options for moving a download to its destination.
public struct DownloadOptions: OptionSet, Sendable {
    /// Bits of the options.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates missing intermediate folders of the destination.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 0)
    /// Replaces a file at the destination. Without this option, an existing file fails the request.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 1)
}

/// Returns a destination in a standard folder, with the name that the server suggests.
///
/// The name is made safe: see ``SuggestedFilename``. The folder may not exist, for example the
/// documents folder of a service account on Linux. Without
/// ``DownloadOptions/createIntermediateDirectories``, the request then fails with a
/// ``FileTransferError`` that names the folder.
///
/// - Parameters:
///   - directory: Standard folder. `.documentDirectory` by default.
///   - domain: Domain to search for the folder. `.userDomainMask` by default.
///   - options: Options for moving the file to its destination.
public func suggestedDownloadDestination(
    for directory: FileManager.SearchPathDirectory = .documentDirectory,
    in domain: FileManager.SearchPathDomainMask = .userDomainMask,
    options: DownloadOptions = []
) -> DownloadDestination {
    { temporaryURL, response in
        let folders = FileManager.default.urls(for: directory, in: domain)
        let folder = folders.first ?? temporaryURL.deletingLastPathComponent()
        return (folder.appendingPathComponent(SuggestedFilename(response).value), options)
    }
}
