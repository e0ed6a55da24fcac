import Foundation

/// What code written for Moya takes from Alamofire's class of this name.
@available(
    *, deprecated,
    message: "use `suggestedDownloadDestination`, `DownloadDestination` and `DownloadOptions`"
)
public enum DownloadRequest {
    /// Says where a download goes.
    public typealias Destination = DownloadDestination

    /// How a download is put in its place.
    public typealias Options = DownloadOptions

    /// A destination in a standard folder, named as the server suggests.
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        in domain: FileManager.SearchPathDomainMask = .userDomainMask,
        options: Options = []
    ) -> Destination {
        MoyaMultipart.suggestedDownloadDestination(for: directory, in: domain, options: options)
    }
}
