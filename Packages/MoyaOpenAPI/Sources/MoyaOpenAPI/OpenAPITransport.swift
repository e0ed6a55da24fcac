#if OpenAPI
    import Foundation
    import HTTPTypes
    import MoyaCore
    import OpenAPIRuntime

    /// Sends the requests of a client that swift-openapi-generator has generated over a transport
    /// of this library, with its layers.
    ///
    /// ```swift
    /// let transport = CurlTransport().retrying(.exponential()).caching(in: MemoryCacheStore())
    /// let client = Client(
    ///     serverURL: try Servers.Server1.url(), transport: OpenAPITransport(transport))
    /// ```
    ///
    /// - The ID of the operation is the `name` in the request's context, so that it names spans,
    ///   entries of logs and archives, and stubs: `stubs.on(.name("listPets"))`.
    /// - A request body that can be iterated again, with a known length of at most 1 MiB, is sent
    ///   from memory, so that layers can sign, compare and record it. Other bodies are sent as they
    ///   are read, with their length or in chunks, and with back-pressure. A body that can be
    ///   iterated once is not sent again: such a request is not retried.
    /// - If the operation accepts JSON only, or documents no response body, the body of the
    ///   response is received whole, so that layers can repeat a request whose response breaks off,
    ///   and can store it. It may have at most 256 MiB. Other bodies arrive as a stream with
    ///   back-pressure. Releasing the body ends its exchange.
    ///
    /// Errors of the transport, such as `URLError(.timedOut)`, are the `underlyingError` of the
    /// client's `ClientError`. Cancelling the task cancels the exchange, and throws
    /// `URLError(.cancelled)`. For a deadline of the whole request, with streamed bodies, call the
    /// client in `withDeadline(after:)` of MoyaCore. `timingOut(after:)` bounds the time until the
    /// head of a stream.
    public struct OpenAPITransport: ClientTransport {
        private let transport: any Transport
        private let timeoutInterval: TimeInterval?

        /// Creates a transport for generated clients.
        ///
        /// - Parameters:
        ///   - transport: Sends the requests.
        ///   - timeoutInterval: Idle timeout of each request, in seconds. It restarts with each
        ///     byte that is sent or received. 0 or less disables the timeout. `nil` uses the
        ///     default of `URLRequest`, 60 seconds.
        public init(_ transport: any Transport, timeoutInterval: TimeInterval? = nil) {
            self.transport = transport
            self.timeoutInterval = timeoutInterval
        }

        /// Sends the request of an operation. The generated client calls it.
        ///
        /// - Throws: The errors of the transport; `URLError(.badURL)` if `baseURL` and the path of
        ///   `request` do not form a URL; `URLError(.badServerResponse)` for a status code above
        ///   999.
        public func send(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
        ) async throws -> (HTTPResponse, HTTPBody?) {
            var urlRequest = URLRequest(request, url: try request.url(below: baseURL))
            if let timeoutInterval { urlRequest.timeoutInterval = timeoutInterval }
            var context = RequestContext()
            context.name = operationID
            let response = try await transport.send(
                TransportRequest(
                    urlRequest, body: try await RequestBody(body),
                    destination: request.acceptsStream ? .stream : .memory(), context: context))
            guard let head = HTTPResponse(response.head) else {
                response.discard()
                throw URLError(
                    .badServerResponse,
                    "The response has the status code \(response.head.statusCode).",
                    url: urlRequest.url)
            }
            return (head, try await response.makeBody(to: request.method))
        }
    }

    extension HTTPRequest {
        /// Returns the path and query of this request, appended to `base`. The query of `base` is
        /// dropped. No relative reference is resolved, as OpenAPI requires of server URLs.
        fileprivate func url(below base: URL) throws -> URL {
            let server = base.absoluteString.prefix { $0 != "?" && $0 != "#" }
            guard let url = URL(string: "\(server)\(try checkedPath())") else {
                throw URLError(
                    .badURL, "The server's URL and the path of the request form no URL.", url: base)
            }
            return url
        }

        /// Whether the operation documents a response body other than JSON.
        fileprivate var acceptsStream: Bool {
            guard method != .head, let accept = headerFields[.accept] else { return false }
            return !accept.split(separator: ",").allSatisfy { range in
                let type = range.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
                return type == "application/json" || type.hasSuffix("+json")
            }
        }
    }
#endif
