import Foundation
import MoyaInternals

/// Sends requests for targets. The reactive modules extend this protocol.
@preconcurrency
public protocol MoyaProviderType: AnyObject, Sendable {
    /// The target type whose requests the provider sends.
    associatedtype Target: TargetType

    /// Sends a request. See ``MoyaProvider/request(_:callbackQueue:progress:completion:)``.
    @preconcurrency
    func request(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> any Cancellable
}

/// Sends the requests of targets over a transport and returns their responses.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(transport: CurlTransport())
/// let zen = try await provider.request(.zen).mapString()
/// ```
///
/// A provider can be shared between threads. Retain it while its requests run: releasing it cancels
/// pending requests that have a completion.
///
/// ## Subclasses
///
/// | override of | is called for |
/// |---|---|
/// | ``endpoint(_:)`` | every request |
/// | ``request(_:callbackQueue:progress:completion:)`` | completions, progress, reactive modules |
/// | `request(_:)` with `await` | awaited requests; pages, but of linked ones only the first |
/// | ``inflightRequests`` | callers alone |
///
/// Streams, server-sent events and resumable transfers call neither form of `request`. To see or to
/// change every request, use a plugin or a layer around the transport.
open class MoyaProvider<Target: TargetType>: MoyaProviderType, @unchecked Sendable {
    // Safe: every stored property is a constant of a Sendable type. A subclass that adds mutable
    // state has to synchronize it.

    /// Makes the endpoint of a target.
    public typealias EndpointClosure = @Sendable (Target) -> Endpoint

    /// Receives the request to send, or the error that fails it.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, MoyaError>) -> Void

    /// Makes the request of an endpoint and passes it to its second argument, which it must call
    /// once, on any thread, immediately or later.
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void

    /// Returns whether and when a target's request is stubbed.
    public typealias StubClosure = @Sendable (Target) -> StubBehavior

    /// Makes the endpoint of a target.
    public let endpointClosure: EndpointClosure
    /// Makes the request of an endpoint.
    public let requestClosure: RequestClosure
    /// Returns whether and when a target's request is stubbed.
    public let stubClosure: StubClosure
    /// Sends the requests that are not stubbed.
    public let transport: any Transport
    /// The plugins, in the order in which they are called.
    public let plugins: [any PluginType]
    /// Whether a request waits for the response of an equal request in flight instead of being
    /// sent.
    ///
    /// Requests are compared after the plugins' `prepare`, so plugins prepare each of them, and
    /// requests with different tokens or authorization types are sent separately. If a plugin sets
    /// a credential in `willSend`, the request does not share its response. Plugins do not receive
    /// `willSend` for a waiting request, and cannot set its credential. Header fields that a layer
    /// of the transport adds are not compared: if it adds tokens, use a provider for each user.
    public let trackInflights: Bool
    /// The decoders and encoders of bodies: see ``Coders``.
    public let coders: Coders

    /// Whether a target may have coders of its own. Looked up once for all requests.
    private let targetsMayHaveCoders: Bool
    let callbackQueue: DispatchQueue?
    let inflights = Inflights()
    let pendingRequests = PendingRequest.Registry([:])

    /// Creates a provider. Each parameter is the property of that name.
    ///
    /// Completions and progress run on `callbackQueue`, or on the main queue if it is `nil`.
    @preconcurrency
    public init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        transport: any Transport,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false,
        coders: Coders = .json
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.transport = transport
        self.plugins = plugins
        self.trackInflights = trackInflights
        self.coders = coders
        targetsMayHaveCoders =
            Target.self is any ResponseTarget.Type || Target.self == MultiTarget.self
    }

    deinit {
        for pending in pendingRequests.withLock({ Array($0.values) }) {
            pending.request.cancel(with: .underlying(ReleasedProvider.error, nil))
        }
    }

    /// The waiting completions and awaiting tasks of each request in flight. Empty unless
    /// ``trackInflights`` is set.
    ///
    /// Lists a request once its request closure has returned the request, the request has been sent
    /// or stubbed, and equal requests can join it.
    open var inflightRequests: [Endpoint: [Completion]] {
        // Outside the lock: comparing endpoints runs parameter encodings, which may be the user's
        // code.
        let inFlight = inflights.inFlight.map { ($0.key.context.endpoint, $0.receivers) }
        return Dictionary(inFlight, uniquingKeysWith: +)
    }

    /// The endpoints of requests without a result, from the call of `request` on. Empty unless
    /// ``trackInflights`` is set.
    @_spi(MoyaInternals)
    public var unansweredEndpoints: [Endpoint] {
        guard trackInflights else { return [] }
        let pending = pendingRequests.withLock { $0.values.map(\.endpoint) }
        return Array(Set(pending + inflights.inFlight.map(\.key.context.endpoint)))
    }

    /// Returns the endpoint that ``endpointClosure`` makes for `target`, with the encoder that its
    /// body needs.
    open func endpoint(_ target: Target) -> Endpoint {
        endpointClosure(target).encoded(by: coders(for: target))
    }

    /// Returns the coders of a request: those of the target, otherwise the provider's.
    @_spi(MoyaInternals)
    public final func coders(for target: Target) -> Coders {
        guard targetsMayHaveCoders else { return coders }
        return (MultiTarget.unwrap(target) as? any ResponseTarget)?.coders ?? coders
    }

    /// Sends a request and calls `completion` once with its result.
    ///
    /// - Parameters:
    ///   - callbackQueue: The queue of `progress` and `completion`. `nil` uses the provider's
    ///     queue, otherwise the main queue. A program whose main run loop does not run, such as a
    ///     command-line tool, has to pass a queue or use `request(_:)` with `await`.
    ///   - progress: Called as bytes are transferred, and at the end with the response. For a
    ///     request that joins an equal request in flight, called only at the end.
    ///   - completion: Called with the response or the error. Cancelling the token or releasing the
    ///     provider results in `NSURLErrorCancelled` (-999).
    /// - Returns: A token that cancels the request.
    @preconcurrency
    @discardableResult
    open func request(
        _ target: Target,
        callbackQueue: DispatchQueue? = .none,
        progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> any Cancellable {
        let hooks = hooks(for: target)
        let pipeline = Pipeline(target, endpoint: nil, hooks: hooks, in: self)
        var queue = pipeline.stubBehavior.completionQueue(callbackQueue ?? self.callbackQueue)
        if progress != nil {
            // A serial queue, so that reports and the completion stay in order on any queue.
            queue = queue.map { DispatchQueue(label: "moya.progress", target: $0) }
        }
        let reporter = progress.map {
            ProgressReporter($0, isUpload: pipeline.endpoint.task.isUpload, on: queue ?? .main)
        }
        let pending = PendingRequest(on: queue, in: pendingRequests) { outcome in
            completion(hooks.finish(outcome) { reporter?.finish($0) })
            outcome.leave?()
        }
        pendingRequests.withLock { $0[ObjectIdentifier(pending)] = (pending, pipeline.endpoint) }
        if queue == nil, let stub = pipeline.stub {
            requestClosure(pipeline.endpoint) { made in
                pipeline.run(stub, made, claim: pending.claim).map(pending.complete)
            }
        } else {
            pending.run {
                pending.complete(
                    await pipeline.run(progress: reporter?.report, claim: pending.claim))
            }
        }
        return pending
    }

    /// Sends a request and returns its response. Cancelling the task cancels the request.
    ///
    /// Takes the same steps as a request with a completion, in the caller's task and without a
    /// queue. For progress, use ``progress(of:)``.
    ///
    /// - Throws: ``MoyaError``. If the task is cancelled, ``MoyaError/underlying(_:_:)`` with
    ///   `NSURLErrorCancelled` (-999).
    @_disfavoredOverload  // A program's own `request(_:)` in an extension takes precedence.
    open func request(_ target: Target) async throws -> Response {
        try await response(to: target)
    }
}

extension MoyaProvider {
    /// Returns an endpoint with the properties of `target`. Its sample response has status 200 and
    /// the target's sample data.
    public final class func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(
            url: URL.text(of: target),
            sampleResponseClosure: { .networkResponse(200, target.sampleData) },
            method: target.method,
            task: target.task,
            httpHeaderFields: target.headers,
            timeoutInterval: target.timeoutInterval,
            cachePolicy: target.cachePolicy
        )
    }

    /// Makes the endpoint's request synchronously.
    public final class func defaultRequestMapping(
        for endpoint: Endpoint, closure: RequestResultClosure
    ) {
        closure(Result { try endpoint.urlRequest() }.mapError { MoyaError(wrapping: $0) })
    }

    /// Sends every request.
    @Sendable
    public final class func neverStub(_: Target) -> StubBehavior { .never }

    /// Stubs every request, without a delay.
    @Sendable
    public final class func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// Stubs every request after `seconds`: see ``StubBehavior/delayed(seconds:)``.
    public final class func delayedStub(_ seconds: TimeInterval) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}
