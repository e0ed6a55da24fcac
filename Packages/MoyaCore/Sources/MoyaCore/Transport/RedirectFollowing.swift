import Foundation
import MoyaInternals

extension TransportRequest {
    /// Sends this request with `exchange` and follows redirects according to ``redirectPolicy``. A
    /// user name and password in the URL become the ``credential``.
    ///
    /// For authors of transports: `exchange` sends a single request and receives its response, and
    /// all transports treat redirects and credentials alike. A streamed body of a redirect is read
    /// to its end if it is short and arrives quickly; otherwise its exchange is cancelled. Runs,
    /// with the policy's handler, where it is called: on an actor, the actor waits for them.
    ///
    /// - Throws: The errors of `exchange`, with `URLError(.timedOut)` in place of a cancellation
    ///   after the ``deadline``; `URLError(.httpTooManyRedirects)`;
    ///   `URLError(.unsupportedURL)` for a redirect to a scheme other than `http` and `https`;
    ///   `URLError(.appTransportSecurityRequiresSecureConnection)` for a redirect from `https` to
    ///   `http`.
    @inlinable
    public nonisolated(nonsending) func followingRedirects(
        _ exchange: nonisolated(nonsending) (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let request = takingUserInfo()
        do {
            let response = try await exchange(request)
            guard response.isRedirect else { return response }
            return try await request.follow(response, exchange)
        } catch {
            throw request.attributing(error)
        }
    }

    /// - Parameter patience: Timeout for the end of a redirect's streamed body, in seconds.
    @usableFromInline
    nonisolated(nonsending) func follow(
        _ first: TransportResponse,
        skippingWithin patience: TimeInterval = ResponseBodyStream.skipTimeout,
        _ exchange: nonisolated(nonsending) (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var request = self
        var response = first
        var hops = 0
        while let next = try await request.next(after: response, hops: hops) {
            try await response.discardBeforeNext(within: patience)
            hops += 1
            request = next
            let earlier = response.metrics
            response = try await exchange(request)
            response.metrics.add(earlier)
            response.metrics.redirectCount = hops
        }
        return response
    }

    private nonisolated(nonsending) func next(
        after response: TransportResponse, hops: Int
    ) async throws -> TransportRequest? {
        do {
            return try Redirect.next(after: response.head, for: self, hops: hops)?.takingUserInfo()
        } catch {
            // The caller does not receive the rejected redirect's file.
            await DiskWork.perform { response.discard() }
            throw error
        }
    }
}

extension TransportRequest {
    /// Returns whether a response with this head is a redirect that is followed or rejected with an
    /// error, so that its body is not needed. `false` if the policy has a handler, which decides
    /// when the response is complete.
    public func willFollow(_ head: ResponseHead) -> Bool {
        guard redirectPolicy.handler == nil else { return false }
        do {
            return try Redirect.next(after: head, for: self, hops: 0) != nil
        } catch {
            return true
        }
    }
}

extension TransportResponse {
    @usableFromInline
    var isRedirect: Bool { Redirect.isRedirect(head.statusCode) }

    /// Discards this response before the next request: removes its file, whose path the next
    /// response needs, and ends its stream.
    ///
    /// - Parameter patience: Timeout for the end of the stream, in seconds. A stream that ends in
    ///   time leaves a reusable connection.
    /// - Throws: `URLError(.cancelled)` if the task is cancelled, so that no further request is
    ///   sent.
    func discardBeforeNext(within patience: TimeInterval = ResponseBodyStream.skipTimeout)
        async throws
    {
        switch body {
        case .data: break
        case .file(let url):
            try await DiskWork.perform { try FileManager.default.removeItem(at: url) }
        case .stream(let stream): await stream.skip(within: patience)
        }
        if Task.isCancelled { throw URLError(.cancelled) }
    }
}

extension ResponseBodyStream {
    /// Default timeout of ``skip(within:)``, in seconds. Opening a new connection takes about as
    /// long at most.
    public static let skipTimeout: TimeInterval = 0.5
    /// Maximum number of bytes that ``skip(within:)`` reads. Opening a new connection is cheaper
    /// than reading more.
    public static let skipLimit = 64 << 10

    /// Reads and discards a short body, so that its connection can be reused. Cancels the exchange
    /// if the body is larger than ``skipLimit`` or does not end within `seconds`.
    public func skip(within seconds: TimeInterval = skipTimeout) async {
        let patience = Task {
            try await SystemClock.system.sleep(for: seconds)
            cancel()
        }
        defer { patience.cancel() }
        _ = try? await collect(upTo: Self.skipLimit)
    }
}

extension TransportMetrics {
    /// Adds the duration and byte counts of earlier exchanges of the same request. The durations of
    /// the last exchange are offset by theirs.
    mutating func add(_ earlier: TransportMetrics) {
        let offset = earlier.total ?? 0
        domainLookup = domainLookup.map { $0 + offset }
        connect = connect.map { $0 + offset }
        secureConnect = secureConnect.map { $0 + offset }
        firstByte = firstByte.map { $0 + offset }
        total = total.map { $0 + offset }
        bytesSent += earlier.bytesSent
        bytesReceived += earlier.bytesReceived
    }
}

// RFC 9110, section 4.2.4, forbids user names and passwords in the URLs of requests. HTTP libraries
// that find them there send them before the server has sent a challenge.

extension TransportRequest {
    /// Returns this request with the user name and password of its URL moved to its credential. An
    /// existing credential takes precedence.
    @usableFromInline
    func takingUserInfo() -> TransportRequest {
        guard let url = urlRequest.url, url.hasUserInfo else { return self }
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        var request = self
        request.urlRequest.url = url.withoutUserInfo
        if credential == nil, let user = components?.user {
            request.credential = URLCredential(
                user: user, password: components?.password ?? "", persistence: .none)
        }
        return request
    }
}
