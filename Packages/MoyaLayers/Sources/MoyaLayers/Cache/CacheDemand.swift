import Foundation
import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a request wants of the cache: its `Cache-Control` (RFC 9111, section 5.2.1) and its
/// `URLRequest.CachePolicy`.
struct CacheDemand {
    /// The response must not be stored.
    var forbidsStoring = false
    /// A stored response has to be validated first.
    var wantsValidation = false
    /// A stored response has to be validated first, unless it says that it never changes (`immutable`, RFC 8246).
    var isReload = false
    /// The network must not be asked.
    var staysOffline = false
    /// A stored response will do whatever its age.
    var takesAnyAge = false
    var maximumAge: TimeInterval?
    var minimumFreshness: TimeInterval = 0
    var maximumStaleness: TimeInterval
    var staleIfError: TimeInterval?

    init(_ request: TransportRequest, isOffline: Bool) {
        let field = request.value(for: "Cache-Control")
        let control = CacheControl(field.map { [$0] } ?? [])
        forbidsStoring = control.has("no-store")
        wantsValidation = control.has("no-cache")
        if field == nil, request.value(for: "Pragma")?.lowercased() == "no-cache" {
            wantsValidation = true
        }
        staysOffline = control.has("only-if-cached") || isOffline
        takesAnyAge = isOffline
        maximumAge = control.seconds("max-age")
        minimumFreshness = control.seconds("min-fresh") ?? 0
        // Without an argument it takes any staleness.
        maximumStaleness =
            control.hasPlain("max-stale") ? .infinity : control.seconds("max-stale") ?? 0
        staleIfError = control.seconds("stale-if-error")
        apply(request.urlRequest.cachePolicy)
    }

    private mutating func apply(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
            wantsValidation = true
        case .reloadRevalidatingCacheData: isReload = true
        case .returnCacheDataElseLoad: takesAnyAge = true
        case .returnCacheDataDontLoad:
            takesAnyAge = true
            staysOffline = true
        default: break
        }
    }

    /// What a stored response is good for.
    enum Verdict: Equatable {
        case serve
        /// Serve it, and validate it for the next one.
        case serveAndValidate
        case validate
    }

    func verdict(on stored: StoredResponse, now: Date) -> Verdict {
        if takesAnyAge { return .serve }
        let control = stored.cacheControl
        if wantsValidation || control.has("no-cache") { return .validate }
        let freshness = Freshness(stored, now: now)
        if isReload, !freshness.isFresh || !control.has("immutable") { return .validate }
        if let maximumAge, freshness.age > maximumAge { return .validate }
        if freshness.isFresh {
            return freshness.lifetime - freshness.age >= minimumFreshness ? .serve : .validate
        }
        guard minimumFreshness == 0, !control.has("must-revalidate") else { return .validate }
        if freshness.staleness <= maximumStaleness, maximumStaleness > 0 { return .serve }
        if let window = control.seconds("stale-while-revalidate"),
            freshness.staleness <= window
        {
            return .serveAndValidate
        }
        return .validate
    }

    /// Whether a stored response may stand in for an answer that did not come (RFC 5861, section 4).
    func allowsStaleOnError(
        _ stored: StoredResponse, default window: TimeInterval, now: Date
    ) -> Bool {
        let control = stored.cacheControl
        guard !wantsValidation, !isReload, !control.has("no-cache"), !control.has("must-revalidate")
        else {
            return false
        }
        let freshness = Freshness(stored, now: now)
        // It was validated only because the request wanted that.
        if freshness.isFresh { return true }
        let allowed = control.seconds("stale-if-error") ?? staleIfError ?? window
        return freshness.staleness <= allowed && allowed > 0
    }
}
