import Foundation
import MoyaCore

/// What a cache did with a request: the field `Cache-Status` of a response (RFC 9211).
///
/// ```swift
/// if response.cacheStatus?.isHit == true { … }
/// ```
public struct CacheStatus: Sendable, Equatable {
    /// Why a request was forwarded to the server.
    public struct Forward: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The cache has nothing to do with such a request.
        public static let bypass = Forward(rawValue: "bypass")
        /// The method's answers are not stored.
        public static let method = Forward(rawValue: "method")
        /// There was no response for this URL.
        public static let uriMiss = Forward(rawValue: "uri-miss")
        /// There was none for these header fields.
        public static let varyMiss = Forward(rawValue: "vary-miss")
        /// The request wanted it.
        public static let request = Forward(rawValue: "request")
        /// What there was had to be validated.
        public static let stale = Forward(rawValue: "stale")
    }

    /// Whether the stored response was served without asking the server.
    public var isHit: Bool { forward == nil && !isMiss }
    /// Why the server was asked. `nil` where it was not.
    public var forward: Forward?
    /// What the server answered, where the answer was not passed on as it is: 304, or an error that the
    /// stored response stands in for.
    public var forwardStatus: Int?
    /// Whether the server's answer was stored.
    public var isStored = false
    /// Seconds for which the response stays fresh. Negative if it is stale.
    public var timeToLive: Int?
    /// Whether the network was not to be asked, and nothing was stored.
    var isMiss = false

    init() {}

    static func forwarded(
        _ reason: Forward, status: Int? = nil, isStored: Bool = false
    ) -> CacheStatus {
        var value = CacheStatus()
        value.forward = reason
        value.forwardStatus = status
        value.isStored = isStored
        return value
    }

    static func hit(timeToLive: TimeInterval) -> CacheStatus {
        var value = CacheStatus()
        value.timeToLive = timeToLive.rounded(.down).whole
        return value
    }

    static var unavailable: CacheStatus {
        var value = CacheStatus()
        value.isMiss = true
        return value
    }
}

extension CacheStatus {
    /// The name this cache goes by in the field.
    private static let name = "Moya"

    var fieldValue: String {
        var text = Self.name
        if isHit { text += "; hit" }
        if let forward { text += "; fwd=\(forward.rawValue)" }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if isStored { text += "; stored" }
        if let timeToLive { text += "; ttl=\(timeToLive)" }
        if isMiss { text += "; detail=only-if-cached" }
        return text
    }

    /// What this cache wrote into `head`. `nil` if it did not.
    init?(_ head: ResponseHead) {
        // Caches add themselves at the end: we are the last.
        guard let member = head.values(for: "Cache-Status").last?.split(separator: ",").last
        else { return nil }
        let parts = member.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.first == Self.name else { return nil }
        for part in parts.dropFirst() {
            // The server may have written it: a parameter without a name is none of ours.
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
    /// What the cache did. `nil` if there is none on the way.
    public var cacheStatus: CacheStatus? { CacheStatus(head) }

    /// The same response with `status` in its field.
    func marked(_ status: CacheStatus) -> TransportResponse {
        var response = self
        response.head = ResponseHead(
            statusCode: head.statusCode, url: head.url, httpVersion: head.httpVersion,
            fields: head.fields
                + [HeaderField(name: "Cache-Status", value: status.fieldValue)])
        return response
    }
}

extension Response {
    /// What the cache did. `nil` if there is none on the way.
    public var cacheStatus: CacheStatus? { head.flatMap(CacheStatus.init) }
}
