import Foundation
import MoyaCore
import MoyaInternals

/// How a cache behaves where RFC 9111 leaves the choice.
public struct CacheOptions: Sendable {
    /// For how many seconds a stale response stands in for a server error or a failed network, where the
    /// server says nothing about it (`stale-if-error`, RFC 5861). None unless you say otherwise.
    public var staleIfError: TimeInterval = 0
    /// Bodies of more bytes than this are not stored.
    public var maximumBodySize = 8 << 20
    /// Whether the network is out of reach: stored responses are served whatever their age, and anything
    /// else is answered with 504.
    public var isOffline: @Sendable () -> Bool = { false }

    /// No stale response stands in for an error, bodies of up to 8 MiB are stored, and the network is there.
    public init() {}
}

/// A layer that keeps responses and serves them again: a private cache (RFC 9111).
///
/// - Responses to GET are stored as far as they may be, and served while they are fresh. Without a word
///   from the server, that is a tenth of the time since their last change.
/// - Stale ones are validated with `ETag` and `Last-Modified`.
/// - `stale-while-revalidate` and `stale-if-error` are honoured, `Vary` too, and the requests'
///   `Cache-Control` and `cachePolicy`.
/// - A request with a `credential` or a body is neither answered from what is stored nor its response stored.
/// - A request that changes something takes the stored responses of its URL away.
///
/// What the cache did is in the response's ``CacheStatus``. A request with `only-if-cached` for which
/// there is nothing gets a response with status 504.
public struct CachingTransport: Transport {
    let next: any Transport
    let store: any CacheStore
    let options: CacheOptions
    let clock: any MoyaClock
    let fills = CacheFills()
    /// The validations that run in the background, by key.
    let validations = Locked<Set<String>>([])

    var isValidatingInBackground: Bool { validations.withLock { !$0.isEmpty } }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
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

    /// Forwards a request that no stored response can answer.
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
        return response.marked(.forwarded(reason, isStored: isStored))
    }

    /// Stores `response` if that is allowed. Returns whether it was.
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

    /// Stores a response that was found good again, unless it says by now that it may not be stored.
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

    /// Asks the server whether `stored` is still good, and answers with what it says.
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
            // Who has cancelled wants no answer.
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
                return try await replace(stored, request, key, directives, reason: reason)
            }
            var fresh = stored
            fresh.update(
                from: response.head, of: request, requestTime: requestTime,
                responseTime: clock.now)
            let isStored = await keep(fresh, of: request, fill, directives)
            return try serve(
                fresh, to: request, as: .forwarded(reason, status: 304, isStored: isStored))
        }
        if [500, 502, 503, 504].contains(status), mayStandIn(stored, directives) {
            response.discard()
            return try serve(stored, to: request, as: .forwarded(reason, status: status))
        }
        let isStored = await keep(response, of: request, fill, directives, requestTime: requestTime)
        if !isStored, !([408, 429].contains(status) || status >= 500) {
            // The new response cannot be stored, and the one that is stored is no longer right.
            await store.update(key) { $0.removeAll { CacheRules.matches($0, request) } }
        }
        return response.marked(.forwarded(reason, isStored: isStored))
    }

    /// Fetches the response as a whole: the server's 304 was about another one than `stored`.
    private func replace(
        _ stored: StoredResponse, _ request: TransportRequest, _ key: String,
        _ directives: RequestCacheDirectives, reason: CacheStatus.Forward
    ) async throws -> TransportResponse {
        await store.update(key) { $0.removeAll { $0 == stored } }
        return try await fetch(request, key, directives, reason: reason)
    }

    private func mayStandIn(_ stored: StoredResponse, _ directives: RequestCacheDirectives) -> Bool
    {
        directives.allowsStaleOnError(stored, default: options.staleIfError, now: clock.now)
    }

    /// Validates `stored` in the background for the requests that follow, once at a time for each key.
    private func validateLater(
        _ stored: StoredResponse, _ request: TransportRequest, _ key: String,
        _ directives: RequestCacheDirectives
    ) {
        guard validations.withLock({ $0.insert(key).inserted }) else { return }
        // The caller has its answer: no file and no progress is needed.
        var request = request.withoutObservers()
        request.destination = .memory(limit: options.maximumBodySize)
        Task { [request] in
            // If it fails, the next request tries again.
            _ = try? await validate(stored, request, key, directives)
            validations.withLock { _ = $0.remove(key) }
        }
    }
}

extension Transport {
    /// This transport, keeping responses in `store` and serving them again.
    ///
    /// ```swift
    /// let transport = CurlTransport().retrying().caching(in: MemoryCacheStore())
    /// ```
    public func caching(
        in store: some CacheStore, options: CacheOptions = CacheOptions(),
        clock: any MoyaClock = .system
    ) -> CachingTransport {
        CachingTransport(next: self, store: store, options: options, clock: clock)
    }
}
