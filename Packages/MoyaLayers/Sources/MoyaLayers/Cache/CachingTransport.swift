import Foundation
import MoyaCore
import MoyaInternals

/// Cache behavior where RFC 9111 leaves a choice.
public struct CacheOptions: Sendable {
    /// Time for which a stale response may replace a server error or a network failure, in seconds,
    /// if neither the response nor the request has `stale-if-error` (RFC 5861). Default: 0, which
    /// serves no stale response.
    public var staleIfError: TimeInterval = 0
    /// Maximum size of a stored body, in bytes. Larger bodies are not stored. Default: 8 MiB.
    public var maximumBodySize = 8 << 20
    /// Whether the network is unreachable. While the closure returns `true`, stored responses are
    /// served at any age, and all other requests get status 504.
    public var isOffline: @Sendable () -> Bool = { false }

    /// Creates the default options: no stale response replaces an error, bodies of up to 8 MiB are
    /// stored, and the network is reachable.
    public init() {}
}

/// A layer that stores responses and serves them again: a private cache (RFC 9111).
struct CachingTransport: Transport {
    let next: any Transport
    let store: any CacheStore
    let options: CacheOptions
    let clock: any MoyaClock
    let fills = CacheFills()
    /// Keys of the validations that run in the background.
    let validations = Locked<Set<String>>([])

    var isValidatingInBackground: Bool { validations.withLock { !$0.isEmpty } }

    var sessionHeaders: [String: String] { next.sessionHeaders }

    /// Returns a stored response, or sends `request` and stores its response.
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let directives = RequestCacheDirectives(request, isOffline: options.isOffline())
        guard let url = request.urlRequest.url, CacheRules.concerns(request) else {
            guard !directives.staysOffline else { return try unavailable(request) }
            return try await pass(request)
        }
        let key = CacheRules.key(of: url)
        let all = await store.responses(for: key)
        guard let stored = CacheRules.select(from: all, for: request) else {
            guard !directives.staysOffline else { return try unavailable(request) }
            return try await fetch(
                request, key, directives, reason: all.isEmpty ? .uriMiss : .varyMiss)
        }
        switch directives.use(of: stored, now: clock.now) {
        case .serve: return try serve(stored, to: request)
        case .serveAndValidate:
            if !directives.staysOffline { validateLater(stored, request, key, directives) }
            return try serve(stored, to: request)
        case .validate:
            guard !directives.staysOffline else { return try unavailable(request) }
            return try await validate(stored, request, key, directives)
        }
    }

    /// Forwards a request that the cache does not handle.
    private func pass(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await next.send(request)
        for url in CacheRules.invalidated(by: response.head, for: request) {
            let key = CacheRules.key(of: url)
            fills.invalidate(key)
            await store.update(key) { $0 = [] }
        }
        return response.marked(.forwarded(request.method == "GET" ? .bypass : .method))
    }

    private func fetch(
        _ request: TransportRequest, _ key: String, _ directives: RequestCacheDirectives,
        reason: CacheStatus.Forward
    ) async throws -> TransportResponse {
        let requestTime = clock.now
        let fill = fills.begin(key)
        defer { fills.end(fill) }
        let response = try await next.send(request.askingCachesAhead())
        let isStored = await keep(response, of: request, fill, directives, requestTime: requestTime)
        return (consume response).marked(.forwarded(reason, isStored: isStored))
    }

    /// Stores `response` if RFC 9111 and the options allow it. Returns whether it was stored.
    private func keep(
        _ response: TransportResponse, of request: TransportRequest,
        _ fill: CacheFills.Fill, _ directives: RequestCacheDirectives, requestTime: Date
    ) async -> Bool {
        guard !directives.forbidsStoring, CacheRules.mayStore(response.head, for: request),
            !response.isOfAnotherResource(than: request),
            let body = response.storableBody(limit: options.maximumBodySize)
        else { return false }
        let hopByHop = HopByHop.names(in: response.head.fields)
        let fields = response.head.fields.filter { !hopByHop.contains($0.name.lowercased()) }
        let stored = StoredResponse(
            statusCode: response.head.statusCode, url: response.head.url.maskingSecrets,
            httpVersion: response.head.httpVersion, fields: fields, body: body,
            requestTime: requestTime, responseTime: clock.now,
            selectors: CacheRules.selectors(for: fields, of: request))
        return await store(stored, for: request, fill)
    }

    /// Stores a validated response again, or removes it if the 304 changed its header fields so
    /// that it may no longer be stored.
    private func keep(
        _ fresh: StoredResponse, of request: TransportRequest, _ fill: CacheFills.Fill,
        _ directives: RequestCacheDirectives
    ) async -> Bool {
        guard CacheRules.mayStore(fresh.head, for: request) else {
            await store.update(fill.key) { $0.removeAll { CacheRules.matches($0, request) } }
            return false
        }
        guard !directives.forbidsStoring else { return false }
        return await store(fresh, for: request, fill)
    }

    private func store(
        _ response: StoredResponse, for request: TransportRequest, _ fill: CacheFills.Fill
    ) async -> Bool {
        await store.put(response, for: request, key: fill.key) { [fills] in
            fills.isCurrent(fill)
        }
    }

    /// Sends a conditional request for `stored`, and returns the validated or the new response.
    private func validate(
        _ stored: StoredResponse, _ request: TransportRequest, _ key: String,
        _ directives: RequestCacheDirectives
    ) async throws -> TransportResponse {
        let requestTime = clock.now
        let fill = fills.begin(key)
        defer { fills.end(fill) }
        let isWish = directives.wantsValidation || directives.isReload
        let reason: CacheStatus.Forward = isWish ? .request : .stale
        let response: TransportResponse
        do {
            response = try await next.send(request.conditional(on: stored).askingCachesAhead())
        } catch {
            // A cancelled caller gets the cancellation, not a stale response.
            guard (error as? URLError)?.code != .cancelled, !(error is CancellationError),
                mayStandIn(stored, directives)
            else { throw error }
            return try serve(stored, to: request, as: .forwarded(reason))
        }
        let status = response.head.statusCode
        if status == 304 {
            response.discard()
            guard !stored.isOther(than: response.head), !response.isOfAnotherResource(than: request)
            else {
                // The 304 concerned another response, so the whole response is fetched.
                await store.update(key) { $0.removeAll { $0 == stored } }
                return try await fetch(request, key, directives, reason: reason)
            }
            var fresh = stored
            fresh.update(
                from: response.head, of: request, requestTime: requestTime,
                responseTime: clock.now)
            let isStored = await keep(fresh, of: request, fill, directives)
            return try serve(
                fresh, to: request, as: .forwarded(reason, status: 304, isStored: isStored))
        }
        // RFC 5861, section 4.
        if response.head.isServerFailure, mayStandIn(stored, directives) {
            response.discard()
            return try serve(stored, to: request, as: .forwarded(reason, status: status))
        }
        let isStored = await keep(response, of: request, fill, directives, requestTime: requestTime)
        if !isStored, status < 500, TransientFailure(statusCode: status) == nil {
            // The new response cannot be stored, and the stored response is outdated.
            await store.update(key) { $0.removeAll { CacheRules.matches($0, request) } }
        }
        return response.marked(.forwarded(reason, isStored: isStored))
    }

    private func mayStandIn(_ stored: StoredResponse, _ directives: RequestCacheDirectives) -> Bool
    {
        directives.allowsStaleOnError(stored, default: options.staleIfError, now: clock.now)
    }

    /// Validates `stored` in the background, for later requests. At most one validation runs for
    /// each key.
    private func validateLater(
        _ stored: StoredResponse, _ request: TransportRequest, _ key: String,
        _ directives: RequestCacheDirectives
    ) {
        guard validations.withLock({ $0.insert(key).inserted }) else { return }
        // The caller already has its response: this request needs neither a file nor progress, and
        // has no deadline.
        var request = request.withoutCallbacks()
        request.deadline = nil
        request.destination = .memory(limit: options.maximumBodySize)
        // Nor have requests of the layers inside, for credentials.
        RequestDeadline.$current.withValue(nil) {
            _ = Task { [request] in
                // If the validation fails, the next request starts another.
                _ = try? await validate(stored, request, key, directives)
                validations.withLock { _ = $0.remove(key) }
            }
        }
    }
}

extension Transport {
    /// Wraps this transport in a private cache (RFC 9111): responses are stored in `store` and
    /// served again.
    ///
    /// ```swift
    /// let transport = CurlTransport().retrying().caching(in: MemoryCacheStore())
    /// ```
    ///
    /// - Cacheable responses to GET are stored, and served while they are fresh. If the server
    ///   sends no lifetime, the response is fresh for a tenth of the time since its
    ///   `Last-Modified`, one day at most.
    /// - Stale responses are validated with `ETag` and `Last-Modified`.
    /// - `stale-while-revalidate`, `stale-if-error` and `Vary` are honored, as are the request's
    ///   `Cache-Control` and `cachePolicy`.
    /// - Requests with a `credential` or a body bypass the cache: no stored response is served, and
    ///   their responses are not stored.
    /// - A successful request with an unsafe method, such as POST, removes the stored responses of
    ///   its URL.
    ///
    /// The response's ``CacheStatus`` says what the cache did. A request with `only-if-cached` and
    /// no usable stored response gets status 504.
    public func caching(
        in store: some CacheStore, options: CacheOptions = CacheOptions(),
        clock: any MoyaClock = .system
    ) -> some Transport {
        CachingTransport(next: self, store: store, options: options, clock: clock)
    }
}
