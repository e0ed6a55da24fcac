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
        /// Sends the request, and waits for the header fields of its response.
        ///
        /// A kept connection may be closed while a request is being sent on it (RFC 9112, section
        /// 9.5). A request that the server has not processed is sent again, whatever its method:
        /// see ``HTTPClientTransport/repetitions(after:)``. Otherwise the request is sent once more
        /// if its method is idempotent (RFC 9110, section 9.2.2).
        func execute() async throws -> Answer {
            var attempts = 1
            while true {
                do {
                    return try await attempt()
                } catch let error where mayRepeat(after: error, attempts: attempts) {
                    attempts += 1
                    // First, so that the cancelled reader's error is that of an earlier attempt.
                    counts.startAgain()
                    bodyReader.withLockedValue { $0.take() }?.cancel()
                }
            }
        }

        private func mayRepeat(after error: any Error, attempts: Int) -> Bool {
            guard request.body.isReplayable, !Task.isCancelled else { return false }
            let repetitions = transport.repetitions(after: error)
            guard repetitions == 0 else { return attempts <= repetitions }
            let method = MoyaCore.HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
            return attempts == 1 && method.isIdempotent && URLError.isLostConnection(error)
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
