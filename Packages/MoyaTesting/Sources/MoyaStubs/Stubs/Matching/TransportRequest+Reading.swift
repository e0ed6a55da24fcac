import Foundation
import MoyaCore

extension TransportRequest {
    /// The method, GET where none is set.
    var requestMethod: HTTPMethod { HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET") }

    /// Method and URL as a test may print them, without secrets.
    var summary: String {
        "\(requestMethod) \(urlRequest.url.map(Redaction.default.redact(url:)) ?? "no URL")"
    }

    /// The segments of the path, their escapes resolved.
    var pathSegments: [String] {
        PathTemplate.segments(of: urlRequest.url.flatMap(\.encodedPath) ?? "")
    }

    /// The query's parameters, escapes resolved.
    var queryItems: [URLQueryItem] {
        guard let url = urlRequest.url,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return [] }
        return parts.queryItems ?? []
    }

    /// The length of the body. `nil` where there is none.
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

    /// The body's bytes, read where they are in a file. `nil` where there are none, or none yet: see
    /// ``takingInBody(progress:)``.
    var bodyBytes: Data? {
        switch body {
        case .none, .stream: nil
        case .data(let data): data
        case .file(let url): try? Data(contentsOf: url)
        }
    }

    /// This request with its body in memory where it comes in pieces: the far side has it before it answers.
    ///
    /// - Parameter progress: Takes how far the body has come.
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
    /// The method as it is written in code.
    var sourceText: String {
        let known: [HTTPMethod] = [
            .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
        ]
        return known.contains(self)
            ? ".\(rawValue.lowercased())" : "HTTPMethod(rawValue: \"\(rawValue)\")"
    }
}
