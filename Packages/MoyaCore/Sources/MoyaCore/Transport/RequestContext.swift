import MoyaInternals

/// Data about a request for layers and stubs. Transports do not send it.
///
/// A provider fills it in from the target. Plugins get a ``MultiTarget`` as it is, layers the
/// target that it wraps. Without a provider, set the values that layers ask for:
///
/// ```swift
/// var request = TransportRequest(URLRequest(url: url))
/// request.context.authorizationType = .bearer
/// ```
///
/// A value of your own needs a ``RequestContextKey``.
public struct RequestContext: Sendable {
    /// The target of the request. Of a ``MultiTarget``, the target that it wraps. `nil` without a
    /// provider.
    // Unwrapped when it is read: most requests go through no layer that reads it.
    public var target: (any TargetType)? { givenTarget.map(MultiTarget.unwrap) }
    private let givenTarget: (any TargetType)?
    /// The decoders and encoders of the target, otherwise of the provider.
    public let coders: Coders
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates the context of a request for `target`.
    public init(target: (any TargetType)? = nil, coders: Coders = .json) {
        givenTarget = target
        self.coders = coders
    }

    /// The value that was set for `key`, even if it is `nil`. Without one, the value that `key` has
    /// for the target.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get {
            // Unwrapped first: the cast of a missing value to an Optional type succeeds with `nil`.
            guard let value = values[ObjectIdentifier(key)], let own = value as? Key.Value else {
                return Key.value(for: target)
            }
            return own
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// A key of a value in a ``RequestContext``.
///
/// ```swift
/// enum Priority: RequestContextKey {
///     static func value(for target: (any TargetType)?) -> Int {
///         (target as? any Prioritized)?.priority ?? 0
///     }
/// }
///
/// let priority = request.context[Priority.self]
/// ```
///
/// Coalescing, caching and `trackInflights` do not compare these values. A layer that changes the
/// request by such a value belongs around these layers, so that they compare the changed request.
public protocol RequestContextKey {
    /// The type of the value.
    associatedtype Value: Sendable

    /// Returns the value of a request for `target` whose context does not set one.
    static func value(for target: (any TargetType)?) -> Value
}

extension RequestContext {
    /// The scheme that a layer is to authorize the request with. `nil` if it needs no token.
    ///
    /// By default that of a target that is ``AccessTokenAuthorizable``.
    public var authorizationType: AuthorizationType? {
        get { self[AuthorizationKey.self] }
        set { self[AuthorizationKey.self] = newValue }
    }

    /// The name of the request in logs and spans, without values that may be secret or numerous.
    ///
    /// By default the name of the target's enum case, or of its type.
    public var name: String? {
        get { self[NameKey.self] }
        set { self[NameKey.self] = newValue }
    }
}

private enum AuthorizationKey: RequestContextKey {
    static func value(for target: (any TargetType)?) -> AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}

private enum NameKey: RequestContextKey {
    static func value(for target: (any TargetType)?) -> String? {
        guard let target else { return nil }
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        // A case without associated values has no children, and its text is its name, unless the
        // type describes itself.
        if let label = mirror.children.first?.label { return label }
        let describesItself =
            target is any CustomStringConvertible || target is any CustomDebugStringConvertible
            || target is any TextOutputStreamable
        return describesItself ? "\(type(of: target))" : "\(target)"
    }
}
