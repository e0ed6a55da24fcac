import Foundation
import MoyaCore

// The way of one request between two redirects.
extension FoundationTransport {
    /// The request with the session's header fields and timeout. URLSession would add the fields again after a
    /// redirect to another origin.
    func preparing(_ request: TransportRequest) -> TransportRequest {
        var request = request
        // A part of what is compressed cannot be expanded.
        if request.urlRequest.value(forHTTPHeaderField: "Range") != nil,
            request.urlRequest.value(forHTTPHeaderField: "Accept-Encoding") == nil
        {
            request.urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        for (name, value) in options.additionalHeaders
        where request.urlRequest.value(forHTTPHeaderField: name) == nil {
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        if options.isInBackground {
            // How long it has to wait there is unknown.
            request.urlRequest.timeoutInterval = 0
        } else if options.timeout != URLRequest.defaultTimeoutInterval,
            request.urlRequest.timeoutInterval == URLRequest.defaultTimeoutInterval
        {
            request.urlRequest.timeoutInterval = options.timeout
        }
        return request
    }

    /// Sends one request. Its body, if it comes in pieces or goes in the background, is put into a file before.
    func sending(
        _ request: TransportRequest, _ context: SendContext
    ) async throws -> TransportResponse {
        let stream: RequestBodyStream
        switch request.body {
        case .stream(let pieces): stream = pieces
        case .data(let data) where options.isInBackground: stream = RequestBodyStream(data)
        case .none, .data, .file: return try await authenticating(request, context, nil)
        }
        // Nothing is read for a request that may not be sent.
        try request.validateForSession(hasCache: options.hasCache)
        let spool = try await SpoolFile.make(stream, context, for: delegate)
        var request = request
        request.body = .file(spool.url)
        let response = try await authenticating(request, context, spool)
        // A body that is read already may be the answer to one that is still being sent.
        if case .stream = response.body {} else { spool.remove() }
        return response
    }

    /// Sends one request, and again as often as the server asks who sends it and there is an answer.
    /// URLSession's own way to answer ends the process on some platforms, and answers Digest with MD5 alone on others.
    private func authenticating(
        _ request: TransportRequest, _ context: SendContext, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        try await request.answeringChallenges(nonces) { request in
            try await exchange(request, context, spool)
        }
    }

    /// Sends one request, and again where the connection for it had died. As often as libcurl would, unless the
    /// server may have carried it out and must not do so twice (RFC 9110, section 9.2.2).
    private func exchange(
        _ request: TransportRequest, _ context: SendContext, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        let method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        for _ in 0..<(method.isIdempotent ? 5 : 1) {
            do {
                return try await attempt(request, context, spool)
            } catch is DeadConnection {}
        }
        throw URLError(
            .networkConnectionLost, "The server closed the connection before it answered.",
            url: request.urlRequest.url)
    }

    private func attempt(
        _ request: TransportRequest, _ context: SendContext, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        try request.validateForSession(hasCache: options.hasCache)
        let exchange = try SessionExchange(request, context.deadline, spool: spool)
        if case .stream = request.destination {
            exchange.openRelay(limit: options.streamBacklogLimit, keeping: self)
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.wait(continuation)
                delegate.start(exchange, context.round)
            }
            return try exchange.outcome()
        } onCancel: {
            exchange.cancel()
        }
    }
}

extension RequestBodyStream {
    fileprivate init(_ data: Data) {
        self.init(length: Int64(data.count)) {
            AsyncStream<Data> { pieces in
                pieces.yield(data)
                pieces.finish()
            }
        }
    }
}
