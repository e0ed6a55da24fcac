import Foundation
import MoyaCore

/// One request and its response in the HTTP Archive format 1.2. The property names are the
/// format's.
struct HAREntry: Encodable {
    struct Pair: Encodable {
        var name: String
        var value: String
    }

    struct PostData: Encodable {
        var mimeType: String
        var text: String
    }

    struct Content: Encodable {
        var size: Int64
        var mimeType: String
        var text: String?
        var encoding: String?
    }

    struct Request: Encodable {
        var method: String
        var url: String
        var httpVersion: String
        var cookies: [Pair] = []
        var headers: [Pair]
        var queryString: [Pair]
        var postData: PostData?
        var headersSize = -1
        var bodySize: Int64
    }

    struct Response: Encodable {
        var status: Int
        var statusText: String
        var httpVersion: String
        var cookies: [Pair] = []
        var headers: [Pair]
        var content: Content
        var redirectURL: String
        var headersSize = -1
        var bodySize: Int64
        /// The error of a failed request. Viewers show this unofficial field.
        var _error: String?
    }

    /// Durations in milliseconds. -1 for a step that did not happen.
    struct Timings: Encodable {
        var blocked = -1.0
        var dns = -1.0
        var connect = -1.0
        var ssl = -1.0
        var send = 0.0
        var wait = 0.0
        var receive = 0.0
    }

    struct Cache: Encodable {}

    var startedDateTime: String
    var time: Double
    var request: Request
    var response: Response
    var cache = Cache()
    var timings: Timings
    var serverIPAddress: String?
    /// The name of the request in its context.
    var comment: String?
}

extension HAREntry.Timings {
    /// Converts the end times of the steps into consecutive durations. Their sum is the entry's
    /// time, as the format requires: a step that ended after `duration` by another clock is cut off
    /// there.
    init(_ metrics: TransportMetrics, duration: TimeInterval) {
        let total = duration * 1000
        var last = 0.0
        func step(until end: TimeInterval?) -> Double {
            guard let end = end.map({ min($0 * 1000, total) }), end >= last else { return -1 }
            defer { last = end }
            return end - last
        }
        dns = step(until: metrics.domainLookup)
        connect = step(until: metrics.connect)
        ssl = step(until: metrics.secureConnect)
        // The format counts the TLS handshake as part of `connect`.
        if ssl > 0 { connect = max(0, connect) + ssl }
        wait = max(0, step(until: metrics.firstByte))
        receive = max(0, total - last)
    }
}
