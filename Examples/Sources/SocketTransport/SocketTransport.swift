import MoyaCore

/// HTTP/1.1 over plain sockets: an example of a transport.
///
/// Each request opens a new connection. TLS and decompression are missing. MoyaCore provides what
/// transports have in common: validation, redirects, challenges, streams with back-pressure, files
/// and errors.
public struct SocketTransport: Transport {
    private let authentications = AuthenticationCache()

    /// Creates a transport. It has no connections between requests.
    public init() {}

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await request.keepingDeadline { request in
            try await request.followingRedirects { request in
                try await request.answeringChallenges(authentications) { request in
                    try await exchange(request)
                }
            }
        }
    }

    /// Sends one request and reads one response. Cancelling the task shuts the connection down,
    /// which unblocks its calls.
    private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
        try request.validate()
        guard let url = request.urlRequest.url, let host = url.host,
            url.scheme?.lowercased() == "http"
        else {
            let text = "SocketTransport has no TLS: use http."
            throw URLError(.unsupportedURL, text, url: request.urlRequest.url)
        }
        let message = try RequestMessage(request, to: url)
        var sink = try await ResponseBodySink(request)
        let connection = Connection(timeout: request.urlRequest.timeoutInterval)
        return try await withTaskCancellationHandler {
            do {
                try await connection.open(host: host, port: url.port ?? 80)
                var counts = Counts(report: request.progress)
                try await message.send(over: connection) { counts.sent($0, of: message.body) }
                var reader = ResponseReader(connection, counts)
                let head = try await reader.readHead(of: url, for: request.urlRequest.httpMethod)
                var response = TransportResponse(head: head)
                if case .stream = request.destination {
                    response.body = .stream(relay(reader))
                } else {
                    while let piece = try await reader.readPiece() { try await sink.write(piece) }
                    response.body = try await sink.finish()
                    response.trailers = reader.trailers
                    connection.end()
                }
                response.metrics = reader.counts.metrics
                return response
            } catch {
                connection.end()
                await sink.discard()
                throw error
            }
        } onCancel: {
            connection.cancel()
        }
    }

    /// Returns a stream of the body. Back-pressure: `write` waits while the reader is behind, and
    /// no further bytes are read from the socket.
    private func relay(_ reader: ResponseReader) -> ResponseBodyStream {
        let connection = reader.connection
        let writer = ResponseBodyWriter(stop: { connection.cancel() })
        Task {
            var reader = reader
            do {
                while let piece = try await reader.readPiece() { try await writer.write(piece) }
                let metrics = reader.counts.metrics
                writer.finish(.success(.init(trailers: reader.trailers, metrics: metrics)))
            } catch {
                writer.finish(.failure(error))
            }
            connection.end()
        }
        return ResponseBodyStream(writer)
    }
}

/// Counts the bytes of a request and its response, and reports progress.
struct Counts: Sendable {
    let report: (@Sendable (TransferProgress) -> Void)?
    private let start = Date()
    private var progress = TransferProgress()

    init(report: (@Sendable (TransferProgress) -> Void)?) {
        self.report = report
    }

    var metrics: TransportMetrics {
        var metrics = TransportMetrics()
        metrics.total = Date().timeIntervalSince(start)
        metrics.bytesSent = progress.bytesSent
        metrics.bytesReceived = progress.bytesReceived
        metrics.protocolName = "http/1.1"
        return metrics
    }

    mutating func sent(_ count: Int, of body: RequestBodyStream?) {
        progress.bytesToSend = body?.length
        progress.bytesSent += Int64(count)
        report?(progress)
    }

    mutating func received(_ count: Int, of length: Int64?) {
        progress.bytesToReceive = length
        progress.bytesReceived += Int64(count)
        report?(progress)
    }
}
