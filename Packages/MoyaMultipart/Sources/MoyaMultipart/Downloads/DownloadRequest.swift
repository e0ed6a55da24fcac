import Foundation
import MoyaCore

/// Names that code written for Moya uses from Alamofire's class `DownloadRequest`.
@available(
    *, deprecated,
    message: "use `suggestedDownloadDestination`, `DownloadDestination` and `DownloadOptions`"
)
public enum DownloadRequest {
    /// Closure that returns a download's destination and options.
    public typealias Destination = DownloadDestination

    /// Options for moving a download to its destination.
    public typealias Options = DownloadOptions

    /// Returns a destination in a standard folder, with the name that the server suggests.
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        in domain: FileManager.SearchPathDomainMask = .userDomainMask,
        options: Options = []
    ) -> Destination {
        MoyaMultipart.suggestedDownloadDestination(for: directory, in: domain, options: options)
    }
}

extension Moya {
    public typealias DownloadDestination = MoyaMultipart.DownloadDestination
    @available(
        *, deprecated,
        message: "use `suggestedDownloadDestination`, `DownloadDestination` and `DownloadOptions`"
    )
    public typealias DownloadRequest = MoyaMultipart.DownloadRequest
}
