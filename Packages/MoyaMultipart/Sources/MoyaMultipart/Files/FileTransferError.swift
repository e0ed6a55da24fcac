import Foundation

/// Reason why a file could not be uploaded, or a download not be moved to its destination.
public struct FileTransferError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible
{
    /// Message with the cause and the path.
    public let description: String
    /// The same text as ``description``.
    public var errorDescription: String? { description }

    static func missing(_ url: URL) -> FileTransferError {
        FileTransferError(description: "There is no file at \(url.path).")
    }

    static func notAFile(_ url: URL) -> FileTransferError {
        FileTransferError(description: "\(url.absoluteString) is not a regular local file.")
    }

    static func unreadable(_ url: URL) -> FileTransferError {
        FileTransferError(description: "Permission denied reading \(url.path).")
    }

    static func occupied(_ url: URL) -> FileTransferError {
        // On Linux, HTTPURLResponse.suggestedFilename is "Unknown" for every response.
        let advice =
            url.lastPathComponent == "Unknown"
            ? " On Linux, suggestedFilename is always \"Unknown\": take SuggestedFilename(response).value."
            : ""
        return FileTransferError(
            description:
                "There is a file at \(url.path) already. Pass .removePreviousFile to replace it."
                + advice)
    }

    static func noFolder(_ url: URL) -> FileTransferError {
        FileTransferError(
            description:
                "There is no folder \(url.path). Pass .createIntermediateDirectories to make it.")
    }

    /// Creates an error from the last failed system call and the path.
    static func failed(
        _ what: String, _ url: URL, _ error: POSIXError = .last
    ) -> FileTransferError {
        FileTransferError(
            description: "\(what) \(url.path): \(String(cString: strerror(error.code.rawValue))).")
    }
}
