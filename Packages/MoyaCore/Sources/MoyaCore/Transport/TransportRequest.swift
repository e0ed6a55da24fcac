import Foundation

/// Everything a ``Transport`` needs to carry one exchange.
///
/// A value, as cheap to hand on as a reference: it is copied on the first change.
public struct TransportRequest: Sendable {
    private var fields: Boxed<Fields>

    /// Method, URL, header fields and timeout. Its `httpBody` is `nil`: see ``body``.
    ///
    /// `timeoutInterval` bounds how long nothing may move, in seconds: it starts again with each
    /// byte that is sent or received, as it does for `URLSession`. 0 or less is no bound.
    public var urlRequest: URLRequest {
        get { fields.value.urlRequest }
        _modify { yield &fields.own().value.urlRequest }
    }

    /// What is sent after the header fields.
    public var body: RequestBody {
        get { fields.value.body }
        _modify { yield &fields.own().value.body }
    }

    /// Where the response's body goes.
    public var destination: ResponseDestination {
        get { fields.value.destination }
        _modify { yield &fields.own().value.destination }
    }

    /// What happens when the server answers with a redirect.
    public var redirectPolicy: RedirectPolicy {
        get { fields.value.redirectPolicy }
        _modify { yield &fields.own().value.redirectPolicy }
    }

    /// Answers an authentication challenge (RFC 9110, section 11). Never sent before the
    /// server asks, and never to another origin. A user name and password in the URL stand in
    /// for it.
    public var credential: URLCredential? {
        get { fields.value.credential }
        _modify { yield &fields.own().value.credential }
    }

    /// Called as bytes move, on any thread, in order. Must not block: other exchanges may wait for it.
    public var progress: (@Sendable (TransferProgress) -> Void)? {
        get { fields.value.progress }
        _modify { yield &fields.own().value.progress }
    }

    /// Called with each informational response (RFC 9110, section 15.2), such as `103 Early Hints`, before the
    /// response itself, on any thread, in order. Only by transports that get to see them: CurlTransport does. Must not
    /// block: other exchanges may wait for it.
    public var informational: (@Sendable (ResponseHead) -> Void)? {
        get { fields.value.informational }
        _modify { yield &fields.own().value.informational }
    }

    /// The target this request came from, for layers that decide by it.
    public var target: (any TargetType)? {
        get { fields.value.target }
        _modify { yield &fields.own().value.target }
    }

    /// A request for `urlRequest`. A body in `urlRequest.httpBody` is taken when `body` is `nil`.
    public init(
        _ urlRequest: URLRequest,
        body: RequestBody? = nil,
        destination: ResponseDestination = .memory(),
        redirectPolicy: RedirectPolicy = .follow(),
        credential: URLCredential? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        informational: (@Sendable (ResponseHead) -> Void)? = nil,
        target: (any TargetType)? = nil
    ) {
        let ownBody = urlRequest.httpBody
        fields = Boxed(
            Fields(
                urlRequest: urlRequest, body: body ?? ownBody.map(RequestBody.data) ?? .none,
                destination: destination, redirectPolicy: redirectPolicy, credential: credential,
                progress: progress, informational: informational, target: target))
        // Changing a request copies it.
        if ownBody != nil { fields.own().value.urlRequest.httpBody = nil }
    }

    @available(*, unavailable, renamed: "init(_:)")
    public init(urlRequest: URLRequest) {
        self.init(urlRequest)
    }
}

extension TransportRequest {
    private struct Fields: Sendable {
        var urlRequest: URLRequest
        var body: RequestBody
        var destination: ResponseDestination
        var redirectPolicy: RedirectPolicy
        var credential: URLCredential?
        var progress: (@Sendable (TransferProgress) -> Void)?
        var informational: (@Sendable (ResponseHead) -> Void)?
        var target: (any TargetType)?
    }
}
