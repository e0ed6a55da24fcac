#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import MoyaCore
    import NIOCore
    import NIOHTTP1

    extension TransportRequest {
        /// Checks for requests that are invalid, but that the client would send.
        func validateForClient() throws {
            try validate()
            if urlRequest.httpMethod == "CONNECT" {
                throw URLError(
                    .unsupportedURL,
                    "CONNECT requests cannot be sent: the client opens tunnels through proxies "
                        + "itself.", url: urlRequest.url)
            }
            if case .stream(let stream) = body, stream.trailers != nil {
                throw URLError(
                    .unsupportedURL, "async-http-client cannot send trailer fields.",
                    url: urlRequest.url)
            }
        }
    }

    extension Exchange {
        /// Creates the client's request for one attempt.
        func clientRequest() -> HTTPClientRequest {
            // Digest authentication covers the path without dot segments.
            var result = HTTPClientRequest(url: url.standardized.absoluteString)
            let urlRequest = request.urlRequest
            result.method = NIOHTTP1.HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET")
            for (name, value) in urlRequest.allHTTPHeaderFields ?? [:] {
                result.headers.add(name: name, value: value)
            }
            // A range of a compressed body cannot be decompressed. For other requests, the client
            // sets the field.
            if result.headers.contains(name: "Range"),
                !result.headers.contains(name: "Accept-Encoding")
            {
                result.headers.add(name: "Accept-Encoding", value: "identity")
            }
            result.body = clientBody()
            return result
        }

        private func clientBody() -> HTTPClientRequest.Body? {
            guard let body else { return nil }
            if case .data(let data) = request.body, data.count <= ClientBody.size,
                request.progress == nil
            {
                counts.send(data.count, by: counts.attempt)
                return .bytes(ByteBuffer(bytes: data))
            }
            let length = body.length.map { HTTPClientRequest.Body.Length.known($0) } ?? .unknown
            let pieces = ClientBody(body: body, exchange: self, attempt: counts.attempt)
            return .stream(pieces, length: length)
        }
    }
#endif
