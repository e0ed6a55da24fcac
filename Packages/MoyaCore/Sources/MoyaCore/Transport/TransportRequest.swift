import Foundation
import MoyaInternals

/// A request for a ``Transport``.
///
/// A copy-on-write value: passing it on costs as much as passing a reference.
public struct TransportRequest: Sendable {
    private var fields: Boxed<Fields>

    /// Method, URL, header fields and timeout. Its `httpBody` is `nil`: see ``body``.
    ///
    /// `timeoutInterval` is the idle timeout, in seconds. As in `URLSession`, it restarts with each
    /// byte that is sent or received. 0 or less disables the timeout.
    public var urlRequest: URLRequest {
        get { fields.value.urlRequest }
        _modify { yield &fields.own().value.urlRequest }
    }

    /// The request's body.
    public var body: RequestBody {
        get { fields.value.body }
        _modify { yield &fields.own().value.body }
    }

    /// The destination of the response's body.
    public var destination: ResponseDestination {
        get { fields.value.destination }
        _modify { yield &fields.own().value.destination }
    }

    /// The redirect policy.
    public var redirectPolicy: RedirectPolicy {
        get { fields.value.redirectPolicy }
        _modify { yield &fields.own().value.redirectPolicy }
    }

    /// Responds to an authentication challenge (RFC 9110, section 11). Sent only after the server
    /// has challenged this request, or an earlier one with the same credential in the same folder
    /// (``AuthenticationCache``). Never sent to another origin. Without a credential, the URL's
    /// user name and password are used.
    public var credential: URLCredential? {
        get { fields.value.credential }
        _modify { yield &fields.own().value.credential }
    }

    /// Called as bytes are transferred, in order, on any thread. Must not block, because other
    /// requests may wait for the thread.
    public var progress: (@Sendable (TransferProgress) -> Void)? {
        get { fields.value.progress }
        _modify { yield &fields.own().value.progress }
    }

    /// Called with each informational response (RFC 9110, section 15.2), such as `103 Early Hints`,
    /// before the final response, in order, on any thread. Only transports with access to
    /// informational responses call it, such as CurlTransport. Must not block, because other
    /// requests may wait for the thread.
    public var informational: (@Sendable (ResponseHead) -> Void)? {
        get { fields.value.informational }
        _modify { yield &fields.own().value.informational }
    }

    /// Called with what happens to this request in layers and in its transport, on any thread. Must
    /// not block, because other requests may wait for the thread. `nil` if nothing observes it.
    ///
    /// `Transport.observing(_:)` of MoyaLayers sets it. A layer or transport that repeats requests
    /// or lets them wait calls it.
    public var observer: (@Sendable (ExchangeEvent) -> Void)? {
        get { fields.value.observer }
        _modify { yield &fields.own().value.observer }
    }

    /// Time at which the request has to be over. `nil` means no deadline.
    ///
    /// A provider sets the earlier of its task's deadline and its target's
    /// ``TargetType/totalTimeout``. Transports end an exchange at that time, and layers begin no
    /// wait that would exceed it.
    public var deadline: RequestDeadline? {
        get { fields.value.deadline }
        _modify { yield &fields.own().value.deadline }
    }

    /// Data for layers and stubs, which transports do not send.
    public var context: RequestContext {
        get { fields.value.context }
        _modify { yield &fields.own().value.context }
    }

    /// Creates a request. If `body` is `nil`, uses `urlRequest.httpBody`. Of header fields whose
    /// names differ only in case, keeps the last in lexicographic order. The default `deadline` is
    /// that of the current task.
    public init(
        _ urlRequest: URLRequest,
        body: RequestBody? = nil,
        destination: ResponseDestination = .memory(),
        redirectPolicy: RedirectPolicy = .follow(),
        credential: URLCredential? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        informational: (@Sendable (ResponseHead) -> Void)? = nil,
        deadline: RequestDeadline? = RequestDeadline.current,
        context: RequestContext = RequestContext()
    ) {
        let ownBody = urlRequest.httpBody
        fields = Boxed(
            Fields(
                urlRequest: urlRequest, body: body ?? ownBody.map(RequestBody.data) ?? .none,
                destination: destination, redirectPolicy: redirectPolicy, credential: credential,
                progress: progress, informational: informational, observer: nil,
                deadline: deadline, context: context))
        // Conditional, because every change copies the `URLRequest`.
        if ownBody != nil { fields.own().value.urlRequest.httpBody = nil }
        if let headers = urlRequest.allHTTPHeaderFields.flatMap(FieldNames.unique) {
            fields.own().value.urlRequest.allHTTPHeaderFields = headers
        }
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
        var observer: (@Sendable (ExchangeEvent) -> Void)?
        var deadline: RequestDeadline?
        var context: RequestContext
    }
}
