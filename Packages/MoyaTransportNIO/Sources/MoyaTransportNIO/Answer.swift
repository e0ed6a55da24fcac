#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import MoyaCore
    import NIOCore
    import NIOHTTP1

    /// Response of the client, available when the header fields have arrived.
    struct Answer: Sendable {
        let head: ResponseHead
        let body: HTTPClientResponse.Body
        let protocolName: String
        /// Whether the response has no body (RFC 9112, section 6.3).
        let isBodiless: Bool
        /// Time when the header fields arrived.
        let start: NIODeadline

        /// Other white space belongs to a field's value (RFC 9110, sections 5.5 and 5.6.3).
        private static let optionalWhiteSpace = CharacterSet(charactersIn: " \t")

        init(_ response: HTTPClientResponse, to url: URL, method: String?) {
            let (major, minor) = (response.version.major, response.version.minor)
            protocolName = major >= 2 ? "h2" : "http/\(major).\(minor)"
            head = ResponseHead(
                statusCode: Int(response.status.code), url: url,
                httpVersion: major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)",
                fields: response.headers.map { name, value in
                    HeaderField(
                        name: name, value: value.trimmingCharacters(in: Self.optionalWhiteSpace))
                })
            body = response.body
            isBodiless =
                method == "HEAD" || [204, 304].contains(head.statusCode)
                || head.value(for: "Content-Length") == "0"
            start = .now()
        }
    }

    extension Exchange {
        /// Sends the request, and waits for the header fields of its response. An idempotent
        /// request is sent once more if the server closes the connection without a response,
        /// because a reused connection may have been closed meanwhile (RFC 9112, section 9.5).
        func execute() async throws -> Answer {
            do {
                return try await attempt()
            } catch let error where mayRepeat(after: error) {
                // First, so that the cancelled reader's error is that of an earlier attempt.
                counts.startAgain()
                bodyReader.withLockedValue { $0.take() }?.cancel()
                return try await attempt()
            }
        }

        private func mayRepeat(after error: any Error) -> Bool {
            let method = MoyaCore.HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
            return error as? HTTPClientError == .remoteConnectionClosed && !Task.isCancelled
                && method.isIdempotent && request.body.isReplayable
        }

        private func attempt() async throws -> Answer {
            let response = try await transport.client.execute(
                clientRequest(), deadline: .distantFuture)
            guard response.history.count <= 1 else {
                throw URLError(
                    .redirectToNonExistentLocation,
                    "The shared HTTPClient has followed a redirect itself. Give it the "
                        + "redirectConfiguration .disallow.", url: url)
            }
            move()
            let answer = Answer(response, to: url, method: request.urlRequest.httpMethod)
            // The client may decompress the body, and keeps the Content-Encoding field, so the
            // length is unknown.
            let hasCoding = answer.head.value(for: "Content-Encoding") != nil
            counts.expect(hasCoding ? nil : answer.head.value(for: "Content-Length"))
            return answer
        }
    }
#endif
