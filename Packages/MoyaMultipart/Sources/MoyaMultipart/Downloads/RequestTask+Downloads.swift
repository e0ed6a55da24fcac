import Foundation
import MoyaCore

extension RequestTask {
    /// Writes the response's body to `file`.
    ///
    /// The body goes to a hidden file in the same folder first, so that taking its name is one step. What
    /// would be in the way at the end fails the request before anything is sent.
    public static func download(to file: URL, options: DownloadOptions = []) -> RequestTask {
        RequestTask(delivery: FixedDestination(file: file, options: options))
    }
}
