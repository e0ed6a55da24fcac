import Foundation
@_spi(MoyaInternals) import MoyaCore

/// How a cache handled a request: the `Cache-Status` field of the response (RFC 9211).
///
/// ```swift
/// if response.cacheStatus?.isHit == true { … }
/// ```
public struct CacheStatus: Sendable, Equatable {
    /// The reason for which a request was forwarded to the server.
    public struct Forward: RawRepresentable, Hashable, Sendable {
        /// The value of the `fwd` parameter.
        public let rawValue: String

        /// Creates a reason from the value of a `fwd` parameter.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The cache does not handle this request.
        public static let bypass = Forward(rawValue: "bypass")
        /// The cache does not store responses to this method.
        public static let method = Forward(rawValue: "method")
        /// No response was stored for this URL.
        public static let uriMiss = Forward(rawValue: "uri-miss")
        /// Responses were stored for this URL, but for other values of the header fields.
        public static let varyMiss = Forward(rawValue: "vary-miss")
        /// The request's directives or cache policy demanded validation.
        public static let request = Forward(rawValue: "request")
        /// The stored response had to be validated.
        public static let stale = Forward(rawValue: "stale")
    }

    /// Whether the stored response was served without contacting the server.
    public var isHit: Bool { forward == nil && !isMiss }
    /// Why the request was forwarded to the server, or `nil` if it was not.
    public var forward: Forward?
    /// Status of the server's response, if a stored response was served instead: 304, or an error
    /// that the stored response replaces. Otherwise `nil`.
    public var forwardStatus: Int?
    /// Whether the server's response was stored.
    public var isStored = false
    /// Remaining freshness lifetime, in seconds. Negative if the response is stale.
    public var timeToLive: Int?
    /// Whether no stored response was usable and the network was not to be used.
    var isMiss = false

    static func forwarded(
        _ reason: Forward, status: Int? = nil, isStored: Bool = false
    ) -> CacheStatus {
        CacheStatus(forward: reason, forwardStatus: status, isStored: isStored)
    }

    static func hit(timeToLive: TimeInterval) -> CacheStatus {
        CacheStatus(timeToLive: timeToLive.rounded(.down).whole)
    }

    static let unavailable = CacheStatus(isMiss: true)
}

extension CacheStatus {
    /// Identifier of this cache in the field.
    private static let name = "Moya"

    var fieldValue: String {
        var text = Self.name
        text.reserveCapacity(64)
        if isHit { text += "; hit" }
        if let forward {
            text += "; fwd="
            text += forward.rawValue
        }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if isStored { text += "; stored" }
        if let timeToLive { text += "; ttl=\(timeToLive)" }
        if isMiss { text += "; detail=only-if-cached" }
        return text
    }

    /// Creates the status that this cache wrote into `head`, or `nil` if it wrote none.
    init?(_ head: ResponseHead) {
        // Each cache appends its member, so this cache's member is the last.
        guard let member = head.values(for: "Cache-Status").last?.split(separator: ",").last
        else { return nil }
        let parts = member.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.first == Self.name else { return nil }
        for part in parts.dropFirst() {
            // The field may come from a server: parameters without a name are ignored.
            let pair = part.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map(String.init)
            switch (pair[0], pair.count > 1 ? pair[1] : nil) {
            case ("fwd", let reason?): forward = Forward(rawValue: reason)
            case ("fwd-status", let status?): forwardStatus = Int(status)
            case ("stored", _): isStored = true
            case ("ttl", let seconds?): timeToLive = Int(seconds)
            case ("detail", _): isMiss = true
            default: break
            }
        }
    }
}

extension TransportResponse {
    /// How the cache handled the request, or `nil` if the response did not pass a cache.
    public var cacheStatus: CacheStatus? { CacheStatus(head) }

    /// This response with `status` appended as a `Cache-Status` field.
    consuming func marked(_ status: CacheStatus) -> TransportResponse {
        head = head.appending(HeaderField(name: "Cache-Status", value: status.fieldValue))
        return self
    }
}

extension Response {
    /// How the cache handled the request, or `nil` if the response did not pass a cache.
    public var cacheStatus: CacheStatus? { head.flatMap(CacheStatus.init) }
}
