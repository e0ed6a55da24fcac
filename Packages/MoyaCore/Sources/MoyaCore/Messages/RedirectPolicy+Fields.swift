extension RedirectPolicy {
    /// Which header fields of a request go along when a redirect leads to another origin.
    public enum CrossOriginFields: Sendable, Equatable {
        /// Fields that are known to carry no credential and no identity. The default.
        case harmless
        /// These as well, whatever the case of their names.
        case also(Set<String>)
        /// All of them, secrets too. `Host` and `Origin`, which name the old origin, stay behind even so.
        case all
    }

    /// The same policy, which sends these header fields when a redirect leads to another scheme, host or port
    /// (RFC 9110, section 4.3.1).
    ///
    /// ```swift
    /// var task: Task { .requestPlain.redirecting(.follow().crossOrigin(.also(["X-Feature"]))) }
    /// ```
    ///
    /// `http` and `https` of one host are two origins, as in the Fetch standard. A redirect from one to the other takes no
    /// more along than one to another host. The request's `credential` never goes along.
    public func crossOrigin(_ fields: CrossOriginFields) -> RedirectPolicy {
        var policy = self
        policy.crossOriginFields = fields
        return policy
    }

    /// The same policy, which also sends the header fields `names` to another origin.
    public func sendingAlso(_ names: Set<String>) -> RedirectPolicy {
        switch crossOriginFields {
        case .harmless: crossOrigin(.also(names))
        case .also(let others): crossOrigin(.also(names.union(others)))
        case .all: self
        }
    }

    /// Whether the header field `name` is sent to another origin.
    func allowsCrossOrigin(_ name: String, hasBody: Bool) -> Bool {
        let name = name.lowercased()
        guard !Self.fieldsOfOrigin.contains(name) else { return false }
        switch crossOriginFields {
        case .all: return true
        case .also(let names) where names.contains { $0.lowercased() == name }: return true
        case .also, .harmless:
            return Self.harmlessFields.contains(name) || hasBody && Self.fieldsOfBody.contains(name)
        }
    }

    /// Whether the header field `name` is known to carry no credential and no identity of a user.
    public static func isHarmless(_ name: String) -> Bool {
        let name = name.lowercased()
        return harmlessFields.contains(name) || fieldsOfBody.contains(name)
    }

    /// What names the origin that the request was for.
    private static let fieldsOfOrigin: Set = ["host", "origin"]

    // Each name here has its reason. One that is missing costs a field, which a policy may name; one too many may cost a
    // secret. So names of unknown fields are not judged here: not even by their words.
    private static let harmlessFields: Set = [
        // What the client understands: the same for all servers (RFC 9110, section 12.5; safelisted by Fetch).
        "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language",
        "accept-patch", "accept-post", "accept-ranges",
        // What the client is.
        "user-agent",
        // The part and the version that it wants (RFC 9110, sections 13.1 and 14.2): dates, and tags that a server gave out.
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "range",
        // What it wants of caches and connections on the way (RFC 9111, section 5; RFC 9110, section 10.1.4; RFC 9218).
        "cache-control", "pragma", "priority", "te",
        // What it would like to get (RFC 7240; RFC 9530, section 4), and preferences that browsers send to all.
        "dnt", "prefer", "save-data", "sec-gpc", "upgrade-insecure-requests", "want-content-digest",
        "want-digest", "want-repr-digest",
    ]

    /// What describes a body, and goes with it alone (RFC 9110, section 8; RFC 9530).
    private static let fieldsOfBody: Set = [
        "content-digest", "content-disposition", "content-encoding", "content-language",
        "content-length", "content-md5", "content-range", "content-type", "digest", "expect",
        "repr-digest", "trailer", "transfer-encoding",
    ]
}
