import Foundation
import MoyaCore
import MoyaInternals

/// A cached response, with the data needed to decide when it may be served again.
public struct StoredResponse: Sendable, Equatable {
    /// The status code.
    public var statusCode: Int
    /// The URL of the response, with secrets masked. A served response has the URL of its request
    /// instead.
    public var url: URL
    /// The HTTP version of the response.
    public var httpVersion: String
    /// The header fields, in the order received.
    public var fields: [HeaderField]
    /// The body.
    public var body: Data
    /// The time at which the request was sent.
    public var requestTime: Date
    /// The time at which the response arrived.
    public var responseTime: Date
    /// Digests of the request's values for the header fields that the response depends on (RFC
    /// 9111, section 4.1), by field name in lower case. Includes all fields that may identify the
    /// user. They are digests because some of these values are secret.
    public var selectors: [String: UInt64]

    /// Creates a stored response from its parts, for stores that read entries back.
    public init(
        statusCode: Int, url: URL, httpVersion: String, fields: [HeaderField], body: Data,
        requestTime: Date, responseTime: Date, selectors: [String: UInt64]
    ) {
        self.statusCode = statusCode
        self.url = url
        self.httpVersion = httpVersion
        self.fields = fields
        self.body = body
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.selectors = selectors
    }

    /// Approximate size in memory, in bytes.
    var size: Int {
        fields.reduce(body.count + 512) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    }
}

extension StoredResponse: CustomStringConvertible, CustomReflectable {
    /// Status, URL, header fields and the size of the body, with secrets masked.
    public var description: String { "\(head), body of \(body.count) bytes" }

    /// Children with secrets masked, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "head": head, "body": "\(body.count) bytes", "requestTime": requestTime,
                "responseTime": responseTime,
            ], displayStyle: .struct)
    }
}

extension URL {
    /// This URL without its fragment, with secrets masked.
    var maskingSecrets: URL {
        let text = absoluteString.prefix { $0 != "#" }
        return URL(string: Redaction.default.redact(url: String(text))) ?? self
    }
}

extension StoredResponse {
    func values(for name: String) -> [String] { fields.values(for: name) }

    var cacheControl: CacheControl { CacheControl(values(for: "Cache-Control")) }
    /// The entity tag, or `nil` if it cannot be sent in `If-None-Match`.
    var entityTag: String? { values(for: "ETag").first.flatMap(ReceivedValue.entityTag) }
    /// The `Last-Modified` date, or `nil` if it cannot be sent in `If-Modified-Since`.
    var lastModified: String? { values(for: "Last-Modified").first.flatMap(ReceivedValue.date) }

    /// The `Date` of the response, or its arrival time if it has no valid `Date`.
    var date: Date { values(for: "Date").first.flatMap(HTTPDate.parse) ?? responseTime }

    /// Whether a 304 with `head` concerns another response, because its strong `ETag` differs from
    /// this response's (RFC 9111, section 4.3.4). A `W/` prefix of the stored tag is ignored,
    /// because servers weaken the tag of a response that they compress.
    func isOther(than head: ResponseHead) -> Bool {
        guard let tag = head.values(for: "ETag").first, !tag.hasPrefix("W/") else { return false }
        let own = entityTag.map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...] }
        return own.map { $0.utf8.elementsEqual(tag.utf8) } != true
    }

    var head: ResponseHead {
        ResponseHead(statusCode: statusCode, url: url, httpVersion: httpVersion, fields: fields)
    }

    /// Updates the header fields from a 304 response to `request` (RFC 9111, section 3.2).
    mutating func update(
        from head: ResponseHead, of request: TransportRequest, requestTime: Date, responseTime: Date
    ) {
        self.requestTime = requestTime
        self.responseTime = responseTime
        let named = HopByHop.names(in: head.fields)
        let fresh = head.fields.filter { field in
            let name = field.name.lowercased()
            return !named.contains(name) && !Self.describesBody.contains(name)
        }
        let replaced = Set(fresh.map { $0.name.lowercased() })
        // The stored `Age` belonged to the earlier response.
        fields.removeAll {
            replaced.contains($0.name.lowercased()) || $0.name.lowercased() == "age"
        }
        fields += fresh
        selectors = CacheRules.selectors(for: fields, of: request)
    }

    /// Fields that describe the body as it was sent. The stored body is already decoded.
    private static let describesBody: Set<String> = [
        "content-length", "content-encoding", "content-range",
    ]
}
