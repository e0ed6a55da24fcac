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
        PathTemplate.segments(of: urlComponents?.percentEncodedPath ?? "")
    }

    /// Parameters of the query, percent-decoded.
    var queryItems: [URLQueryItem] { urlComponents?.queryItems ?? [] }

    private var urlComponents: URLComponents? {
        urlRequest.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
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
