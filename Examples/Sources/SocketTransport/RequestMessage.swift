import MoyaCore

/// A request in the format of HTTP/1.1 (RFC 9112, sections 3, 6 and 7).
struct RequestMessage {
    private let head: Data
    /// The body, or `nil` for a request without one.
    let body: RequestBodyStream?

    init(_ request: TransportRequest, to url: URL) throws {
        body = try request.body.makeStream()
        if body?.trailers != nil {
            throw URLError(.unsupportedURL, "SocketTransport sends no trailers.", url: url)
        }
        let urlRequest = request.urlRequest
        let method = urlRequest.httpMethod ?? "GET"
        // Without dot segments: Digest authentication hashes the path in this form.
        let components = URLComponents(url: url.standardized, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""

        // Foundation returns an IPv6 address without its brackets.
        let name = url.host ?? ""
        let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        var fields = [
            "host": "\(host)\(url.port.map { ":\($0)" } ?? "")",
            "accept-encoding": "identity",
        ]
        for (name, value) in urlRequest.allHTTPHeaderFields ?? [:] {
            fields[name.lowercased()] = value
        }
        // Framing and connection fields describe this message: the caller's values are replaced.
        fields["connection"] = "close"
        fields["transfer-encoding"] = body != nil && body?.length == nil ? "chunked" : nil
        fields["content-length"] = body?.length.map { "\($0)" }
        if body == nil, ["POST", "PUT", "PATCH"].contains(method) {
            fields["content-length"] = "0"
        }
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        head = Data("\(method) \(path.isEmpty ? "/" : path)\(query) HTTP/1.1\r\n\(lines)\r\n".utf8)
    }

    /// Sends the request. Calls `report` with the byte count of each write of the body.
    func send(over connection: Connection, report: (Int) -> Void) async throws {
        try await connection.write(head)
        guard let body else { return }
        for try await piece in try body.makeChunks() where !piece.isEmpty {
            if body.length == nil {
                let size = Data("\(String(piece.count, radix: 16))\r\n".utf8)
                try await connection.write(size + piece + Data("\r\n".utf8))
            } else {
                try await connection.write(piece)
            }
            report(piece.count)
        }
        if body.length == nil { try await connection.write(Data("0\r\n\r\n".utf8)) }
    }
}
