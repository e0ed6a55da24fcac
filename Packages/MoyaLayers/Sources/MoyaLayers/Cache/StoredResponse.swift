import Foundation
import MoyaCore
import MoyaInternals

/// A response in a cache, with what it takes to say when it may be used again.
public struct StoredResponse: Sendable, Equatable {
    /// The status code.
    public var statusCode: Int
    /// The URL that answered, its secrets masked. The one of the request stands in its place where it is served.
    public var url: URL
    /// The protocol version it came with.
    public var httpVersion: String
    /// The header fields, in the order received.
    public var fields: [HeaderField]
    /// The body.
    public var body: Data
    /// When the request was sent.
    public var requestTime: Date
    /// When the response arrived.
    public var responseTime: Date
    /// What the request said in the fields the response depends on (RFC 9111, section 4.1), those included that may say who
    /// the user is, by name in lower case: digests, as some of these fields are secret.
    public var selectors: [String: UInt64]

    /// For stores that read back what they have written, field by field.
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

    /// About how many bytes it takes.
    var size: Int {
        fields.reduce(body.count + 512) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    }
}

extension StoredResponse: CustomStringConvertible, CustomReflectable {
    /// Status, URL and header fields, and the size of the body. Secrets are masked.
    public var description: String { "\(head), body of \(body.count) bytes" }

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
    /// The same URL without its fragment and with the mask in the place of secrets.
    var maskingSecrets: URL {
        let text = absoluteString.prefix { $0 != "#" }
        return URL(string: Redaction.default.redact(address: String(text))) ?? self
    }
}

extension StoredResponse {
    func values(for name: String) -> [String] { fields.values(for: name) }

    var cacheControl: CacheControl { CacheControl(values(for: "Cache-Control")) }
    /// The entity tag, if a request may ask by it.
    var entityTag: String? { values(for: "ETag").first.flatMap(ReceivedValue.entityTag) }
    /// The time of the last change, if it is a date that a request may ask by.
    var lastModified: String? { values(for: "Last-Modified").first.flatMap(ReceivedValue.date) }

    /// When the origin made it, or when it arrived where the origin does not say.
    var date: Date { values(for: "Date").first.flatMap(HTTPDate.parse) ?? responseTime }

    /// Whether a 304 with `head` is about another response: its strong `ETag` is not this one's (RFC 9111,
    /// section 4.3.4). Compared without `W/`, as servers weaken the tag of what they compress.
    func isOther(than head: ResponseHead) -> Bool {
        guard let tag = head.values(for: "ETag").first, !tag.hasPrefix("W/") else { return false }
        return entityTag.map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 } != tag
    }

    var head: ResponseHead {
        ResponseHead(statusCode: statusCode, url: url, httpVersion: httpVersion, fields: fields)
    }

    /// Takes over what a 304 for `request` says (RFC 9111, section 3.2).
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
        // The old age was that of the response as it came then.
        fields.removeAll {
            replaced.contains($0.name.lowercased()) || $0.name.lowercased() == "age"
        }
        fields += fresh
        selectors = CacheRules.selectors(for: fields, of: request)
    }

    /// Fields that say how the body was sent: what is stored is decoded already.
    private static let describesBody: Set<String> = [
        "content-length", "content-encoding", "content-range",
    ]
}
