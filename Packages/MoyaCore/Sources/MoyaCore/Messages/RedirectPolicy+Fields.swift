extension RedirectPolicy {
    /// The header fields that a redirect sends to another origin.
    public enum CrossOriginFields: Sendable, Equatable {
        /// Fields that are known to contain neither credentials nor user identity. The default.
        case harmless
        /// Harmless fields and these fields, compared without regard to case.
        case also(Set<String>)
        /// All fields, including secrets, except `Host` and `Origin`, which name the old origin.
        case all
    }

    /// Returns the policy with the header fields that redirects send to another scheme, host or
    /// port (RFC 9110, section 4.3.1).
    ///
    /// ```swift
    /// var task: Task { .requestPlain.redirecting(.follow().crossOrigin(.also(["X-Feature"]))) }
    /// ```
    ///
    /// As in the Fetch standard, `http` and `https` of the same host are different origins. The
    /// request's `credential` is never sent to another origin.
    public func crossOrigin(_ fields: CrossOriginFields) -> RedirectPolicy {
        var policy = self
        policy.crossOriginFields = fields
        return policy
    }

    /// Returns the policy with `names` added to the header fields that redirects send to another
    /// origin.
    public func sendingAlso(_ names: Set<String>) -> RedirectPolicy {
        switch crossOriginFields {
        case .harmless: crossOrigin(.also(names))
        case .also(let others): crossOrigin(.also(names.union(others)))
        case .all: self
        }
    }

    /// Returns whether a redirect to another origin sends the header field `name`.
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

    /// Returns whether the header field `name` is known to contain neither credentials nor user
    /// identity.
    public static func isHarmless(_ name: String) -> Bool {
        let name = name.lowercased()
        return harmlessFields.contains(name) || fieldsOfBody.contains(name)
    }

    /// Fields that name the origin of the request.
    private static let fieldsOfOrigin: Set = ["host", "origin"]

    // A missing name costs a field, which a policy can add; an extra name may disclose a secret.
    // Unknown names are therefore never harmless, whatever words they contain.
    private static let harmlessFields: Set = [
        // Content negotiation, the same for all servers (RFC 9110, section 12.5; safelisted by
        // Fetch).
        "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language",
        "accept-patch", "accept-post", "accept-ranges",
        // Identifies the client software.
        "user-agent",
        // Conditions and ranges (RFC 9110, sections 13.1 and 14.2): dates, and tags from the
        // server.
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "range",
        // Directives for caches and connections (RFC 9111, section 5; RFC 9110, section 10.1.4; RFC
        // 9218).
        "cache-control", "pragma", "priority", "te",
        // Preferences (RFC 7240; RFC 9530, section 4), some of which browsers send to all servers.
        "dnt", "prefer", "save-data", "sec-gpc", "upgrade-insecure-requests", "want-content-digest",
        "want-digest", "want-repr-digest",
    ]

    /// Fields that describe a body, sent only with a body (RFC 9110, section 8; RFC 9530).
    private static let fieldsOfBody: Set = [
        "content-digest", "content-disposition", "content-encoding", "content-language",
        "content-length", "content-md5", "content-range", "content-type", "digest", "expect",
        "repr-digest", "trailer", "transfer-encoding",
    ]
}
