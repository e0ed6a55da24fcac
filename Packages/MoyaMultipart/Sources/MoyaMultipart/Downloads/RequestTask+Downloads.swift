import Foundation
import MoyaCore

extension RequestTask {
    /// Writes the response's body to `file`.
    ///
    /// The body is written to a hidden file in the same folder first, and then moved to `file` in
    /// one step. A missing folder or an existing file that must not be replaced fails the request
    /// before anything is sent.
    public static func download(to file: URL, options: DownloadOptions = []) -> RequestTask {
        RequestTask(delivery: FixedDestination(file: file, options: options))
    }
}
