import Foundation
import MoyaCore

/// Puts the body of a response into a file.
struct FileDelivery: ResponseDelivery {
    let destination: DownloadDestination
    /// Where the temporary file goes. `nil` where the destination is not known before the response is.
    var folder: URL?

    /// How much of a refused response's body is kept for the error.
    private static let errorBodyLimit = 1 << 20

    func makeDestination() throws -> ResponseDestination { .file(makeTemporaryURL()) }

    private func makeTemporaryURL() -> URL {
        let name = "moya-\(UUID().uuidString).download"
        // Hidden beside the destination, where half a file is of no use to other programs.
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
            // No caller knows where the temporary file is, so none could remove it.
            try? FileManager.default.removeItem(at: file)
            throw error
        }
        return response
    }

    /// The file a transport has written, or a new one with what a stub has given.
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
        // The temporary file itself may be what the caller wants.
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
