import Foundation
import MoyaCore
import MoyaInternals

/// Delivers a response's body to a file.
struct FileDelivery: ResponseDelivery {
    let destination: DownloadDestination
    /// Folder of the temporary file. `nil` uses the system's temporary folder, because the
    /// destination depends on the response.
    var folder: URL?

    /// Maximum size of the body in the error for a rejected response, in bytes.
    private static let errorBodyLimit = 1 << 20

    func makeDestination() throws -> ResponseDestination { .file(makeTemporaryURL()) }

    private func makeTemporaryURL() -> URL {
        let name = "moya-\(RandomID.uuid().uuidString).download"
        // Hidden beside the destination, so that other programs ignore the incomplete file.
        return folder?.appendingPathComponent("." + name)
            ?? FileManager.default.temporaryDirectory.appendingPathComponent(name)
    }

    func deliver(
        _ response: TransportResponse, from destination: ResponseDestination, isAccepted: Bool
    ) throws -> TransportResponse {
        var response = response
        guard isAccepted else {
            response.body = .data(try takeErrorBody(of: response))
            return response
        }
        let file = try temporaryFile(of: response, destination)
        do {
            response.body = .file(try move(file, for: response.head))
        } catch {
            // The caller does not know the temporary file's URL and could not remove it.
            try? FileManager.default.removeItem(at: file)
            throw error
        }
        return response
    }

    /// Returns the file that the transport has written, or writes the body in memory to a new file.
    private func temporaryFile(
        of response: TransportResponse, _ destination: ResponseDestination
    ) throws -> URL {
        switch response.body {
        case .file(let url): return url
        case .data(let data):
            let url = if case .file(let url) = destination { url } else { makeTemporaryURL() }
            try data.write(to: url)
            return url
        case .stream: throw URLError(.badServerResponse)
        }
    }

    private func move(_ file: URL, for head: ResponseHead) throws -> URL {
        guard let urlResponse = head.urlResponse else { throw URLError(.badServerResponse) }
        let (target, options) = destination(file, urlResponse)
        // The destination closure may return the temporary file itself.
        if target.standardizedFileURL == file.standardizedFileURL { return target }
        try FixedDestination(file: target, options: options).prepareFolder()
        try FilePlacement(replaces: options.contains(.removePreviousFile)).move(file, to: target)
        return target
    }

    private func takeErrorBody(of response: TransportResponse) throws -> Data {
        switch response.body {
        case .data(let data): return data
        case .file(let url):
            defer { try? FileManager.default.removeItem(at: url) }
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            return try handle.read(upToCount: Self.errorBodyLimit) ?? Data()
        case .stream(let stream):
            stream.cancel()
            return Data()
        }
    }
}
