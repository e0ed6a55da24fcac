import Foundation
import MoyaCore

/// Says where a download goes, once its response is there.
///
/// Take the name a server suggests from ``SuggestedFilename``: on Linux `suggestedFilename` of the response is `"Unknown"` for
/// every download, so that the second one finds a file in its place.
public typealias DownloadDestination =
    @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (
        destinationURL: URL, options: DownloadOptions
    )

/// How a download is put in its place.
public struct DownloadOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes the folders on the way to the destination.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 0)
    /// Replaces a file at the destination. Without it, such a file fails the request.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 1)
}

/// A destination in a standard folder, named as the server suggests.
///
/// The name is made safe: see ``SuggestedFilename``. The folder may not exist, as the documents of a server's user on Linux: pass
/// ``DownloadOptions/createIntermediateDirectories``, or a file error names it.
///
/// - Parameters:
///   - directory: The folder.
///   - domain: Where to look for it.
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
