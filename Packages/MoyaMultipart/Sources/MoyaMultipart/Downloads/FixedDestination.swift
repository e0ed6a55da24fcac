import Foundation
import MoyaCore

/// Delivers a response's body to a file that the request names.
struct FixedDestination: ResponseDelivery {
    let file: URL
    let options: DownloadOptions

    func makeDestination() throws -> ResponseDestination {
        try prepareFolder()
        return try delivery.makeDestination()
    }

    func deliver(
        _ response: TransportResponse, from destination: ResponseDestination, isAccepted: Bool
    ) throws -> TransportResponse {
        try delivery.deliver(response, from: destination, isAccepted: isAccepted)
    }

    /// Checks, before anything is sent, that the file can be moved to its destination, and creates
    /// missing folders if the options say so.
    ///
    /// - Throws: ``FileTransferError``; a Cocoa error of creating folders.
    func prepareFolder() throws {
        guard file.isFileURL else { throw FileTransferError.notAFile(file) }
        let files = FileManager.default
        if options.contains(.createIntermediateDirectories) {
            try files.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        let attributes = try? files.attributesOfItem(atPath: file.path)
        guard let type = attributes?[.type] as? FileAttributeType else {
            return try checkFolder()
        }
        // Only a regular file is replaced, no folder, symbolic link or device.
        guard options.contains(.removePreviousFile), type == .typeRegular else {
            throw FileTransferError.occupied(file)
        }
    }

    private func checkFolder() throws {
        let folder = file.deletingLastPathComponent()
        var status = stat()
        // Another failure, such as a parent folder without permission to search it, is reported
        // when the file is created.
        guard stat(folder.path, &status) == 0 || errno != ENOENT else {
            throw FileTransferError.noFolder(folder)
        }
    }

    private var delivery: FileDelivery {
        FileDelivery(
            destination: { [file, options] _, _ in (file, options) },
            folder: file.deletingLastPathComponent())
    }
}
