import Foundation
import MoyaCore
import MoyaInternals

/// Cache directives of a request: its `Cache-Control` (RFC 9111, section 5.2.1) and its
/// `URLRequest.CachePolicy`.
struct RequestCacheDirectives {
    /// Whether the response must not be stored.
    var forbidsStoring = false
    /// Whether a stored response must be validated before it is served.
    var wantsValidation = false
    /// Whether a stored response must be validated before it is served, unless it is fresh and
    /// `immutable` (RFC 8246).
    var isReload = false
    /// Whether no request may be sent to the network.
    var staysOffline = false
    /// Whether a stored response may be served at any age.
    var takesAnyAge = false
    var maximumAge: TimeInterval?
    var minimumFreshness: TimeInterval = 0
    var maximumStaleness: TimeInterval = 0
    var staleIfError: TimeInterval?

    init(_ request: TransportRequest, isOffline: Bool) {
        staysOffline = isOffline
        takesAnyAge = isOffline
        let fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        if let field = fields.value(ofField: "Cache-Control") {
            apply(CacheControl([field]))
        } else if fields.value(ofField: "Pragma")?.lowercased() == "no-cache" {
            wantsValidation = true
        }
        apply(request.urlRequest.cachePolicy)
    }

    private mutating func apply(_ control: CacheControl) {
        forbidsStoring = control.has("no-store")
        wantsValidation = control.has("no-cache")
        staysOffline = staysOffline || control.has("only-if-cached")
        maximumAge = control.seconds("max-age")
        minimumFreshness = control.seconds("min-fresh") ?? 0
        // `max-stale` without an argument accepts any staleness.
        maximumStaleness =
            control.hasPlain("max-stale") ? .infinity : control.seconds("max-stale") ?? 0
        staleIfError = control.seconds("stale-if-error")
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

    /// How a stored response may be used.
    enum Use: Equatable {
        case serve
        /// Serves the stored response, and validates it in the background.
        case serveAndValidate
        case validate
    }

    func use(of stored: StoredResponse, now: Date) -> Use {
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

    /// Whether a stale response may replace an error (RFC 5861, section 4).
    func allowsStaleOnError(
        _ stored: StoredResponse, default window: TimeInterval, now: Date
    ) -> Bool {
        let control = stored.cacheControl
        guard !wantsValidation, !isReload, !control.has("no-cache"), !control.has("must-revalidate")
        else { return false }
        let freshness = Freshness(stored, now: now)
        // A fresh response is validated only if the request asks for it.
        if freshness.isFresh { return true }
        let allowed = control.seconds("stale-if-error") ?? staleIfError ?? window
        return freshness.staleness <= allowed && allowed > 0
    }
}
