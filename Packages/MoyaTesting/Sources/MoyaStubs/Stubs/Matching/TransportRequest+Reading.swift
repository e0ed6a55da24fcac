import Foundation
import MoyaCore

extension TransportRequest {
    /// The HTTP method. GET by default.
    var requestMethod: HTTPMethod { HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET") }

    /// Method and URL for the messages of tests. Secrets are masked.
    var summary: String {
        "\(requestMethod) \(urlRequest.url.map(Redaction.default.redact(url:)) ?? "no URL")"
    }

    /// Segments of the path, percent-decoded.
    var pathSegments: [String] {
        PathTemplate.segments(of: urlRequest.url.flatMap(\.encodedPath) ?? "")
    }

    /// Parameters of the query, percent-decoded.
    var queryItems: [URLQueryItem] {
        guard let url = urlRequest.url,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return [] }
        return parts.queryItems ?? []
    }

    /// Length of the body in bytes. `nil` for no body and for a stream of unknown length.
    var bodyLength: Int64? {
        get throws {
            switch body {
            case .none: return nil
            case .data(let data): return Int64(data.count)
            case .stream(let stream): return stream.length
            case .file(let url): return try UploadFile.size(of: url)
            }
        }
    }

    /// Bytes of the body, read from the file if the body is a file. `nil` for no body and for a
    /// stream: see ``takingInBody(progress:)``.
    var bodyBytes: Data? {
        switch body {
        case .none, .stream: nil
        case .data(let data): data
        case .file(let url): try? Data(contentsOf: url)
        }
    }

    /// Returns this request with a streamed body read into memory, because a server has the body
    /// before it answers.
    ///
    /// - Parameter progress: Called after each chunk.
    func takingInBody(
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> TransportRequest {
        guard case .stream(let stream) = body else { return self }
        var data = Data()
        for try await chunk in try stream.makeChunks() {
            data.append(chunk)
            progress?(TransferProgress(bytesSent: Int64(data.count), bytesToSend: stream.length))
        }
        var request = self
        request.body = .data(data)
        return request
    }
}

extension URL {
    var encodedPath: String? {
        URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath
    }
}

extension HTTPMethod {
    /// Swift source of the method: `.post`.
    var sourceText: String {
        let known: [HTTPMethod] = [
            .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
        ]
        return known.contains(self)
            ? ".\(rawValue.lowercased())" : "HTTPMethod(rawValue: \"\(rawValue)\")"
    }
}
