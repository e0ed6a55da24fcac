import Foundation
import MoyaCore

// The steps of one request, from the outermost to the innermost: write the body to a file, answer
// challenges, replace a dead connection, run a session task. `send(_:)` repeats them for each
// redirect.
extension FoundationTransport {
    /// Returns the request with the transport's header fields and timeout. The session does not add
    /// the fields, because URLSession would also send them to another origin after a redirect.
    func preparing(_ request: TransportRequest) -> TransportRequest {
        var request = request
        // A range of a compressed body cannot be decompressed.
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
            // The system may delay a background request for any time.
            request.urlRequest.timeoutInterval = 0
        } else if options.timeout != URLRequest.defaultTimeoutInterval,
            request.urlRequest.timeoutInterval == URLRequest.defaultTimeoutInterval
        {
            request.urlRequest.timeoutInterval = options.timeout
        }
        return request
    }

    /// Sends one request. A streamed body, or any body of a background request, is written to a
    /// temporary file first.
    func sending(
        _ request: TransportRequest, _ context: SendContext
    ) async throws -> TransportResponse {
        let stream: RequestBodyStream?
        switch request.body {
        case .stream(let pieces): stream = pieces
        case .data where options.isInBackground: stream = try request.body.makeStream()
        case .none, .data, .file: stream = nil
        }
        guard let stream else { return try await authenticating(request, context, nil) }
        // An invalid request fails before its body is read.
        try request.validateForSession(hasCache: options.hasCache)
        let spool = try await SpoolFile.make(stream, context, for: delegate)
        var request = request
        request.body = .file(spool.url)
        let response = try await authenticating(request, context, spool)
        // A streamed response may arrive while the request's body is still being sent, so its file
        // is kept.
        if case .stream = response.body {} else { spool.remove() }
        return response
    }

    /// Sends one request, and again after each authentication challenge that can be answered.
    /// URLSession's challenge handling is not used: on Linux it ends the process, and on other
    /// platforms it supports Digest only with MD5.
    private func authenticating(
        _ request: TransportRequest, _ context: SendContext, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        try await request.answeringChallenges(authentications) { request in
            try await exchange(request, context, spool)
        }
    }

    /// Sends one request, and again if a reused connection was closed before the response. An
    /// idempotent request is sent again at most five times, as libcurl does. Other requests are
    /// sent once, because the server may have processed them (RFC 9110, section 9.2.2).
    private func exchange(
        _ request: TransportRequest, _ context: SendContext, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        let method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        for _ in 0...(method.isIdempotent ? 5 : 0) {
            do {
                return try await attempt(request, context, spool)
            } catch is DeadConnection {}
        }
        throw URLError(
            .networkConnectionLost, "The server closed the connection before it answered.",
            url: request.urlRequest.url)
    }

    /// Runs one session task, and waits for the head of a streamed response, or else for the whole
    /// response. Cancelling the Swift task cancels the session task.
    private func attempt(
        _ request: TransportRequest, _ context: SendContext, _ spool: SpoolFile?
    ) async throws -> TransportResponse {
        try request.validateForSession(hasCache: options.hasCache)
        let exchange = try SessionExchange(request, context.deadline, spool: spool)
        if case .stream = request.destination {
            exchange.openRelay(limit: options.streamBacklogLimit, keeping: self)
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.wait(continuation)
                delegate.start(exchange, context.round)
            }
            return Result { try exchange.outcome() }
        } onCancel: {
            exchange.cancel()
        }
        if case .failure(let error) = outcome, error is DeadConnection { throw error }
        if request.observer != nil { request.reportExchange(outcome, metrics: exchange.metrics) }
        return try outcome.get()
    }
}
