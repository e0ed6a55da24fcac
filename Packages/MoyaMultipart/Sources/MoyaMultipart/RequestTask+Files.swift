import Foundation
import MoyaCore

extension RequestTask {
    /// Uploads a file as the request's body, read while it is sent.
    ///
    /// A file that is missing or cannot be read fails the request before anything is sent. Set a
    /// `Content-Type` in the target's headers: none is made up.
    public static func uploadFile(_ file: URL) -> RequestTask {
        RequestTask(body: .upload(FileUpload(file: file)))
    }

    /// Writes the response's body to the file that `destination` names.
    ///
    /// The body goes to a temporary file first. A response whose status the target's validation refuses
    /// touches no destination: its body is in the error's ``Response/data``.
    @preconcurrency
    public static func downloadDestination(_ destination: @escaping DownloadDestination)
        -> RequestTask
    {
        RequestTask(delivery: FileDelivery(destination: destination))
    }

    /// Sends parameters, and writes the response's body to the file that `destination` names.
    @preconcurrency
    public static func downloadParameters(
        parameters: Parameters, encoding: any ParameterEncoding,
        destination: @escaping DownloadDestination
    ) -> RequestTask {
        RequestTask(
            body: .parameters(parameters, encoding: encoding),
            delivery: FileDelivery(destination: destination))
    }
}
