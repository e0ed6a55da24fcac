import Foundation
import MoyaInternals

extension TransportRequest {
    /// Sends this request with `exchange` and follows redirects as ``redirectPolicy`` says.
    ///
    /// For authors of transports: let `exchange` carry a single request and response, and every
    /// transport treats redirects, credentials and the time that is left alike. The body of a redirect that
    /// comes as a stream is read while it is short and comes at once, and left otherwise.
    ///
    /// - Throws: What `exchange` throws; `URLError(.httpTooManyRedirects)`;
    ///   `URLError(.unsupportedURL)` for a redirect to anything but `http` and `https`;
    ///   `URLError(.appTransportSecurityRequiresSecureConnection)` for one from `https` to `http`.
    @inlinable
    public func followingRedirects(
        _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let request = takingUserInfo()
        let response = try await exchange(request)
        guard response.isRedirect else { return response }
        return try await request.follow(response, exchange)
    }

    @usableFromInline
    func follow(
        _ first: TransportResponse, _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        try await follow(first, skippingWithin: ResponseBodyStream.patience, exchange)
    }

    /// - Parameter patience: Seconds in which the body of a redirect that comes as a stream has to end.
    func follow(
        _ first: TransportResponse, skippingWithin patience: TimeInterval,
        _ exchange: (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var request = self
        var response = first
        var hops = 0
        while let next = try await request.next(after: response, hops: hops) {
            try await response.makeWay(within: patience)
            hops += 1
            request = next
            let earlier = response.metrics
            response = try await exchange(request)
            response.metrics.add(redirectedFrom: earlier)
            response.metrics.redirectCount = hops
        }
        return response
    }

    private func next(
        after response: TransportResponse, hops: Int
    ) async throws -> TransportRequest? {
        do {
            return try Redirect.next(after: response.head, for: self, hops: hops)?.takingUserInfo()
        } catch {
            // The caller does not get the file that a refused redirect came with.
            await DiskWork.perform { response.discard() }
            throw error
        }
    }
}

extension TransportRequest {
    /// Whether a response with this head is a redirect that is followed, or refused with an error, so that its body is of
    /// no use. `false` where a handler has to decide.
    public func surelyFollows(_ head: ResponseHead) -> Bool {
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

    /// Makes way for the request that follows this response: its body is of no use, and its file stands in the next one's
    /// way.
    ///
    /// - Parameter patience: Seconds in which a stream has to end for its connection to be used again.
    /// - Throws: `URLError(.cancelled)` where the task is cancelled: nothing follows then.
    func makeWay(within patience: TimeInterval = ResponseBodyStream.patience) async throws {
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
    /// The seconds that ``skip(within:)`` waits for a body: a new connection takes no longer.
    public static let patience: TimeInterval = 0.5
    /// The bytes of a body that ``skip(within:)`` reads at most: to open a new connection is cheaper than to read more.
    public static let skippedBodyLimit = 64 << 10

    /// Reads and drops a short body, so that its connection can be used again. Cancels the exchange where the body has
    /// more bytes than ``skippedBodyLimit`` or does not arrive within `seconds`.
    public func skip(within seconds: TimeInterval = patience) async {
        let patience = Task {
            try await SystemClock.system.sleep(for: seconds)
            cancel()
        }
        defer { patience.cancel() }
        _ = try? await collect(upTo: Self.skippedBodyLimit)
    }
}

extension TransportMetrics {
    /// Counts what an earlier hop took. The steps of the last hop start after it.
    fileprivate mutating func add(redirectedFrom earlier: TransportMetrics) {
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

// RFC 9110, section 4.2.4 has no user name and password in the URLs of requests. HTTP libraries that find some
// there send them before a server has asked for them.

extension TransportRequest {
    /// This request with the user name and password of its URL as its credential. One it has already
    /// goes before them.
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
