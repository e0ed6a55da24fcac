import Foundation
import MoyaCore

extension RequestTask {
    /// Uploads a file as the request's body, read while it is sent.
    ///
    /// A missing or unreadable file fails the request before anything is sent. The task sets no
    /// `Content-Type`; set one in the target's headers.
    public static func uploadFile(_ file: URL) -> RequestTask {
        .uploadFile(FileUpload(file: file))
    }

    /// Writes the response's body to the file that `destination` names.
    ///
    /// The body is written to a temporary file first. If the target's validation rejects the
    /// status, the destination is not touched and the body, up to 1 MiB, is in the error's
    /// `Response.data`.
    @preconcurrency
    public static func downloadDestination(_ destination: @escaping DownloadDestination)
        -> RequestTask
    {
        .downloadDestination(FileDelivery(destination: destination))
    }

    /// Sends parameters, and writes the response's body to the file that `destination` names.
    @preconcurrency
    public static func downloadParameters(
        parameters: Parameters, encoding: any ParameterEncoding,
        destination: @escaping DownloadDestination
    ) -> RequestTask {
        .downloadParameters(
            parameters: parameters, encoding: encoding,
            destination: FileDelivery(destination: destination))
    }
}
